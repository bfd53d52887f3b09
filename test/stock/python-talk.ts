/** How the Python lines of a test speak with it: see `runScript`. */
export const PYTHON_TALK = `
import json
import secrets

def say(**message):
    print(json.dumps(message), flush=True)

def tell(it):
    say(tell=it)

def open(address):
    say(open=address)
    return input()
`;
