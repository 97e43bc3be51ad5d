"""Calls tools with the official MCP client.

mcp_client.py URL MODE < plan: a JSON list of sessions, each {"key", "headers"?, "calls": [[tool, arguments, meta]…]}.
An argument "$N.PATH" is replaced by the value at PATH of the result of call N. Prints, for each session, the protocol
version, the tools and the outcome of every call.
"""
import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


def value_at(results, reference):
    number, *path = reference[1:].split(".")
    value = results[int(number)]["structured"]
    for name in path:
        value = value[name]
    return value


async def run_session(url, mode, session):
    headers = {"Authorization": "Bearer " + session["key"]} | session.get("headers", {})
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            tools = [tool.model_dump(mode="json", by_alias=True) for tool in (await client.list_tools()).tools]
            results = []
            for tool, arguments, meta in session["calls"]:
                arguments = {
                    name: value_at(results, value) if isinstance(value, str) and value.startswith("$") else value
                    for name, value in arguments.items()
                }
                got = await client.call_tool(tool, arguments, meta=meta)
                results.append({
                    "is_error": bool(got.is_error), "text": got.content[0].text, "structured": got.structured_content,
                })
            return {"protocol": client.protocol_version, "tools": tools, "results": results}


async def main():
    url, mode = sys.argv[1:]
    print(json.dumps([await run_session(url, mode, session) for session in json.load(sys.stdin)]))


asyncio.run(main())
