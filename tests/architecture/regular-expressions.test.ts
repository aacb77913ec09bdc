import { Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import { lineOf, type SourceFile, sourceFiles } from './source-files.ts'

/** A regular expression of ours, and where it stands. */
type Found = { readonly place: string; readonly source: string; readonly flags: string }

function expressionsIn(file: SourceFile): Found[] {
  const found: Found[] = []
  new Visitor({
    Literal(node) {
      if (!('regex' in node) || node.regex === null) return
      const { pattern, flags } = node.regex
      found.push({ place: `${file.path}:${lineOf(file, node.start)}`, source: pattern, flags })
    },
  }).visit(file.syntax.program)
  return found
}

/** Signs that expressions are made for, and what stands in this one: alone and in pairs they are what it may try again and again. */
function pumpsFor({ source }: Found): readonly string[] {
  const own = [...new Set(source.replaceAll(/\\[a-zA-Z](?:\{[^}]*\})?|[\\()[\]{}*+?|^$]/g, ''))].slice(0, 12)
  const signs = [
    ...new Set([...own, 'a', '0', ' ', '\t', '\n', '"', '\\', '-', '.', '/', "'", '=', ',', '<', '{', '(', '[']),
  ]
  return [...signs, ...own.flatMap((one) => ['a', '0', ' '].map((other) => one + other))]
}

/** What an expression may need for one text, in ms; one that is walked once needs a tenth of one. */
const MOST_MS = 20
const LENGTHS = [24, 200, 2_000, 20_000]

/** What the thread computes for one text, in ms; waiting for its turn is not counted. */
function msFor(expression: RegExp, text: string): number {
  expression.lastIndex = 0
  const before = process.threadCpuUsage()
  expression.test(text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** The first text on which an expression is too slow; from short to long, so that one which never ends is seen early. */
function slowOn(found: Found): string | undefined {
  const expression = new RegExp(found.source, found.flags.replace('g', ''))
  const pumps = pumpsFor(found)
  const tries = LENGTHS.flatMap((length) => pumps.map((pump) => ({ pump, times: length / pump.length })))
  const slow = tries.find(({ pump, times }) => {
    const text = pump.repeat(times)
    return Math.max(msFor(expression, text), msFor(expression, `${text}\u0001`)) > MOST_MS
  })
  return slow && `${JSON.stringify(slow.pump)} × ${slow.times}`
}

/** Those that only ever see short texts, by their files, with what bounds them. */
const BOUNDED: { readonly [path: string]: string } = {
  'domain/uploads/truncate-file-name.ts': 'it is asked about what is left of a name once it is short',
  'domain/uploads/tus-headers.ts': 'it is asked about sums of the right length alone',
  'server/identity/passwords/leaked-passwords.ts': 'it is asked about a setting',
}

/** What a page does to itself keeps nobody else waiting. */
const isShared = ({ path }: SourceFile): boolean => !path.startsWith('web/') && !(path in BOUNDED)

test('no regular expression of the server takes long on any text that is made for it', () => {
  const slow = sourceFiles
    .filter(isShared)
    .flatMap(expressionsIn)
    .flatMap((found) => {
      const text = slowOn(found)
      return text === undefined ? [] : [`${found.place} /${found.source}/ on ${text}`]
    })
  expect(slow).toEqual([])
})
