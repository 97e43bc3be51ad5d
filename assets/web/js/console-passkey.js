// Passkeys (WebAuthn): a form with data-passkey "create" or "get" is sent with the answer of an authenticator, in its
// field response, to the options that data-options returns.
const able = window.PublicKeyCredential?.parseCreationOptionsFromJSON && PublicKeyCredential.parseRequestOptionsFromJSON;

class Refusal extends Error {}

async function loadOptions(form) {
  const headers = { Accept: "application/json", "X-CSRF-Token": form.elements.csrf?.value ?? "" };
  const answer = await fetch(form.dataset.options, { method: "POST", headers });
  if (answer.redirected) location.reload();
  const body = await answer.json();
  if (!answer.ok) throw new Refusal(body.error);
  return body;
}

async function askAuthenticator(form) {
  const options = await loadOptions(form);
  const answer =
    form.dataset.passkey === "create"
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
  return JSON.stringify(answer);
}

function showFault(form, text) {
  const fault = form.querySelector("[data-fault]");
  fault.textContent = text;
  fault.hidden = !text;
}

async function send(form) {
  showFault(form, "");
  try {
    form.elements.response.value = await askAuthenticator(form);
    form.submit();
  } catch (error) {
    showFault(form, (error instanceof Refusal && error.message) || form.dataset.failed);
  }
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  if (!able) {
    showFault(form, form.dataset.unable);
    continue;
  }
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}
