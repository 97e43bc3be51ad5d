package mcp

import (
	"context"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"munadi/appliance/openapi"
	"munadi/store/account"
)

// toolDeclaration says which operation of the API document a tool is.
type toolDeclaration struct {
	name, operation string
	scope           account.KeyScope // a key lists the tool with it; the API checks the call
	rename          [2]string        // a parameter of the operation, and the tool's name for it
	destroys        bool             // a call cannot be undone
}

const (
	scopeOfJobs  = account.ScopeSTT
	methodListen = "subscriptions/listen" // a stream that lasts until the client ends it
)

// declaredTools are the tools, in the order of the list.
var declaredTools = []toolDeclaration{
	{name: "book_call", operation: "createCall", scope: account.ScopeCallsWrite},
	{name: "get_call", operation: "getCall", scope: account.ScopeCallsRead},
	{name: "list_calls", operation: "listCalls", scope: account.ScopeCallsRead},
	{name: "reschedule_call", operation: "rescheduleCall", scope: account.ScopeCallsWrite},
	{name: "cancel_call", operation: "cancelCall", scope: account.ScopeCallsWrite, destroys: true},
	{name: "create_campaign", operation: "createCampaign", scope: account.ScopeCallsWrite},
	{name: "get_campaign", operation: "getCampaign", scope: account.ScopeCallsRead},
	{name: "pause_campaign", operation: "pauseCampaign", scope: account.ScopeCallsWrite},
	{name: "resume_campaign", operation: "resumeCampaign", scope: account.ScopeCallsWrite},
	{name: "suppress_number", operation: "addSuppressions", scope: account.ScopeCallsWrite},
	{name: "get_transcription_job", operation: "getJob", scope: scopeOfJobs, rename: [2]string{"id", "job_id"}},
}

// apiTool is a tool with the input of its operation.
type apiTool struct {
	toolDeclaration
	openapi.OperationInput
}

// newTool returns a tool by the API document.
func newTool(declared toolDeclaration) (t apiTool, err error) {
	t.toolDeclaration = declared
	t.OperationInput, err = openapi.FindInput(declared.operation)
	if from, to := declared.rename[0], declared.rename[1]; err == nil && from != "" {
		t.RenameParameter(from, to)
	}
	return t, err
}

// describeTool returns what clients see of the tool.
func (t apiTool) describeTool() *sdk.Tool {
	about := t.Summary + "."
	if t.Description != "" {
		about += " " + t.Description
	}
	outside := false
	return &sdk.Tool{
		Name: t.name, Title: t.Summary, Description: about, InputSchema: t.Schema,
		Annotations: &sdk.ToolAnnotations{
			ReadOnlyHint: t.Method == http.MethodGet, DestructiveHint: &t.destroys, OpenWorldHint: &outside,
		},
	}
}

// filterMethods lists to a key only the tools of its scopes, and refuses what would last longer than its request.
func (s *ToolService) filterMethods(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		who := callerOf(ctx)
		call, isCall := r.GetParams().(*sdk.CallToolParamsRaw)
		switch {
		case method == methodListen:
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "there are no subscriptions here"}
		case isCall && s.rankOf(call.Name) < 0 && s.Limit(who.KeyID) > 0: // no API request counts it
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: tooManyRequests}
		}
		result, err := next(ctx, method, r)
		if list, is := result.(*sdk.ListToolsResult); is && err == nil {
			list.Tools = slices.DeleteFunc(list.Tools, func(t *sdk.Tool) bool { return !s.isListed(who, t.Name) })
			slices.SortFunc(list.Tools, func(a, b *sdk.Tool) int { return s.rankOf(a.Name) - s.rankOf(b.Name) })
		}
		return result, err
	}
}

// isListed reports whether a key sees a tool.
func (s *ToolService) isListed(who caller, name string) bool {
	i := s.rankOf(name)
	return i >= 0 && who.HasScope(s.tools[i].scope)
}

// rankOf returns a tool's place in the order of the list; -1 for none.
func (s *ToolService) rankOf(name string) int {
	return slices.IndexFunc(s.tools, func(t apiTool) bool { return t.name == name })
}
