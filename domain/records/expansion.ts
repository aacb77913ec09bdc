import { type Result, fail, ok } from '../shared/result.ts'

/** A field to expand; with `fields`, linked records include these fields, some of which are expanded themselves. */
export type Expansion = { readonly name: string; readonly fields: readonly Expansion[] | null }

/** Maximum number of nested levels of linked records. */
const MAX_DEPTH = 3

const TOKEN = /\s*([(),]|[^\s(),]+)/y

/** Parses `owner,routes(name,from(code))`. */
export function parseExpansions(text: string): Result<readonly Expansion[], string> {
  const tokens = tokensIn(text)
  const found = tokens && readList(tokens, 0)
  if (!found) return fail('Write fields as in owner,routes(name,from(code)).')
  if (found.next < tokens.length) return fail(`Unexpected “${tokens[found.next] ?? ''}”.`)
  return depthOf(found.list) > MAX_DEPTH
    ? fail(`Linked records can be nested at most ${MAX_DEPTH} levels deep.`)
    : ok(found.list)
}

function tokensIn(text: string): readonly string[] | undefined {
  const tokens: string[] = []
  const trimmed = text.trimEnd()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < trimmed.length) {
    const [, token] = TOKEN.exec(trimmed) ?? []
    if (token === undefined) return undefined
    tokens.push(token)
  }
  return tokens
}

type Read = { readonly list: readonly Expansion[]; readonly next: number }

/** Items may be empty, as in `a,,b`. */
function readList(tokens: readonly string[], from: number): Read | undefined {
  const list: Expansion[] = []
  let at = from
  while (at < tokens.length && tokens[at] !== ')') {
    const name = tokens[at] ?? ''
    at += 1
    if (name === ',') continue
    if (name === '(') return undefined
    if (tokens[at] === '(') {
      const inner = readList(tokens, at + 1)
      if (!inner || tokens[inner.next] !== ')') return undefined
      list.push({ name, fields: inner.list })
      at = inner.next + 1
    } else list.push({ name, fields: null })
    if (at < tokens.length && tokens[at] !== ',' && tokens[at] !== ')') return undefined
  }
  return { list, next: at }
}

const depthOf = (list: readonly Expansion[]): number =>
  Math.max(0, ...list.map(({ fields }) => (fields === null ? 0 : 1 + depthOf(fields))))
