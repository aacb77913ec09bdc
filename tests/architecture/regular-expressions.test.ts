import { Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import { lineOf, type SourceFile, sourceFiles } from './source-files.ts'

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

/** Characters to repeat, alone and in pairs: common ones and those in the expression. */
function repeatedTextsFor({ source }: Found): readonly string[] {
  const inExpression = [...new Set(source.replaceAll(/\\[a-zA-Z](?:\{[^}]*\})?|[\\()[\]{}*+?|^$]/g, ''))].slice(0, 12)
  const characters = [
    ...new Set([
      ...inExpression,
      'a',
      '0',
      ' ',
      '\t',
      '\n',
      '"',
      '\\',
      '-',
      '.',
      '/',
      "'",
      '=',
      ',',
      '<',
      '{',
      '(',
      '[',
    ]),
  ]
  return [...characters, ...inExpression.flatMap((one) => ['a', '0', ' '].map((other) => one + other))]
}

/** Time limit per text in ms; linear expressions need about 2 ms. */
const LIMIT_MS = 20
const LENGTHS = [24, 200, 2_000, 20_000]

/** CPU time of this thread in ms, so that a busy machine doesn't matter. */
function msFor(expression: RegExp, text: string): number {
  expression.lastIndex = 0
  const before = process.threadCpuUsage()
  expression.test(text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** The first text that exceeds the limit. Tries short texts first, so that exponential expressions are found early. */
function slowOn(found: Found): string | undefined {
  const expression = new RegExp(found.source, found.flags.replace('g', ''))
  const texts = repeatedTextsFor(found)
  const attempts = LENGTHS.flatMap((length) => texts.map((repeated) => ({ repeated, times: length / repeated.length })))
  const slow = attempts.find(({ repeated, times }) => {
    const text = repeated.repeat(times)
    const isSlow = () => Math.max(msFor(expression, text), msFor(expression, `${text}\u0001`)) > LIMIT_MS
    // Measures three times, because garbage collection can take as long as the limit.
    return isSlow() && isSlow() && isSlow()
  })
  return slow && `${JSON.stringify(slow.repeated)} × ${slow.times}`
}

/** Files whose regular expressions are only applied to short texts, with reasons. */
const BOUNDED: { readonly [path: string]: string } = {
  'domain/uploads/truncate-file-name.ts': 'names are shortened before',
  'domain/uploads/tus-headers.ts': 'only checksums of the right length are checked',
  'server/identity/passwords/leaked-passwords.ts': 'it only checks a setting',
}

/** A slow expression in the browser blocks only its own tab. */
const isShared = ({ path }: SourceFile): boolean => !path.startsWith('web/') && !(path in BOUNDED)

test('no regular expression backtracks excessively on repetitive text', () => {
  const slow = sourceFiles
    .filter(isShared)
    .flatMap(expressionsIn)
    .flatMap((found) => {
      const text = slowOn(found)
      return text === undefined ? [] : [`${found.place} /${found.source}/ on ${text}`]
    })
  expect(slow).toEqual([])
})
