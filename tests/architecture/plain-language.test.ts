import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { sentencesInSource, statementsInSource } from '../../scripts/build/sentences-in-source.ts'

/** Phrases to avoid; `docs/glossary.md` has the standard terms. */
const MARKERS =
  /\b(?:whoever|whomever|anew|somebody|nobody|everybody|on (?:its|their|the) way|(?:stands?|stood) (?:in|on|there|behind)|(?:is|are|was|were) told|bears|the way back|at hand|for good|dear|askers?|deeds?|wish(?:es)?|crowds?|patience|look(?:s|ed)? after|comes? in|of (?:theirs|ours)|that is all there is)\b/gi

/** Matches per 1,000 words. */
const LIMIT = 0.2

const sources = globSync('{domain,api,server,web,tests,bench,scripts}/**/*.{ts,tsx}').map((path) => {
  const text = readFileSync(path, 'utf8')
  return { path, text, comments: parseSync(path, text).comments }
})

const read = (pattern: string): readonly string[] =>
  globSync(pattern, { exclude: (path) => /node_modules|fixtures|^dist/.test(path) }).map((path) =>
    readFileSync(path, 'utf8'),
  )

const TEXTS: { readonly [kind: string]: () => readonly string[] } = {
  interface: () => sentencesInSource().map(({ text, one }) => `${text} ${one?.text ?? ''}`),
  messages: () => [...statementsInSource('domain'), ...statementsInSource('server')],
  api: () =>
    sources
      .filter(({ path }) => path.startsWith('api/'))
      .flatMap(({ text }) => text.match(/(?:summary|description): (['"`]).*?\1/g) ?? []),
  documents: () => [
    ...read('*.md'),
    ...read('docs/{*,how-to/*}.md'),
    ...read('{domain,api,server,web,tests,bench}/**/*.md'),
  ],
  decisions: () => read('docs/decisions/*.md'),
  comments: () => [
    ...sources.flatMap(({ comments }) => comments.map(({ value }) => value)),
    ...read('web/**/*.css').flatMap((text) => text.match(/\/\*.*?\*\//gs) ?? []),
  ],
  'test titles': () =>
    sources.flatMap(({ text }) => text.match(/(?<=\b(?:test|describe|it)(?:\.\w+)*\(\s*)(['"`]).*?\1/g) ?? []),
}

test.each(Object.entries(TEXTS))('plain language in %s', (_, find) => {
  const texts = find()
  const words = texts.reduce((sum, text) => sum + (text.match(/[\p{L}\p{N}’']+/gu)?.length ?? 0), 0)
  const found = texts.flatMap((text) => text.match(MARKERS) ?? [])
  expect(words).toBeGreaterThan(1000)
  expect((found.length / words) * 1000, found.slice(0, 20).join(', ')).toBeLessThanOrEqual(LIMIT)
})
