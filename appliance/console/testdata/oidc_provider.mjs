// An identity provider for tests: panva's oidc-provider, certified for OpenID Connect, with its own development pages.
// Arguments: folder of node_modules, client id, client secret, redirect URL, back-channel logout URL, JSON of the groups
// by login. Prints its issuer.
import { createRequire } from 'node:module'
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'

const [packages, id, secret, callback, logout, people] = process.argv.slice(2)
const { default: Provider } = await import(pathToFileURL(createRequire(packages + '/x.js').resolve('oidc-provider')))
const groups = JSON.parse(people)
const server = createServer()
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`
  const provider = new Provider(issuer, {
    clients: [{
      client_id: id, client_secret: secret, redirect_uris: [callback], grant_types: ['authorization_code'],
      backchannel_logout_uri: logout, backchannel_logout_session_required: true,
    }],
    scopes: ['openid', 'profile', 'groups'],
    claims: { openid: ['sub', 'sid'], profile: ['preferred_username'], groups: ['groups'] },
    pkce: { required: () => true, methods: ['S256'] },
    features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
    cookies: { keys: ['of a test'] },
    findAccount: (ctx, sub) => ({
      accountId: sub, claims: () => ({ sub, preferred_username: sub, groups: groups[sub] ?? [] }),
    }),
  })
  server.on('request', provider.callback())
  console.log(issuer)
})
process.stdin.resume().on('end', () => process.exit())
