import { Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import { allSourceFiles, lineOf, type SourceFile, sourceFiles } from './source-files.ts'

const place = (file: SourceFile, offset: number) => `${file.path}:${lineOf(file, offset)}`

/** Where a failure of the world outside is turned into a word of ours. Everywhere else an exception is a bug, and flies. */
const MAY_CATCH: readonly RegExp[] = [
  /^server\/http\/errors\.ts$/,
  /^server\/jobs\//,
  /^server\/storage\//,
  /^server\/database\//,
  /^server\/(?:config|main|cli)\.ts$/,
  /^web\/client\/call\.ts$/,
  // A reader that goes deep leaves at once when it refuses; it is caught, and becomes a Result, in its own file.
  /^domain\/rich-text\/check-document\.ts$/,
  // Whether a text is a regular expression, JavaScript says only by throwing.
  /^domain\/collections\/check-field\.ts$/,
]

/** Places of `catch (…)` and `.catch(…)` in one file. */
function catchesIn(file: SourceFile): string[] {
  const found: string[] = []
  new Visitor({
    CatchClause: ({ start }) => void found.push(place(file, start)),
    CallExpression({ callee, start }) {
      const isCatch = callee.type === 'MemberExpression' && !callee.computed && callee.property.name === 'catch'
      if (isCatch) found.push(place(file, start))
    },
  }).visit(file.syntax.program)
  return found
}

test('only the named files catch', () => {
  const strangers = sourceFiles.filter(({ path }) => !MAY_CATCH.some((allowed) => allowed.test(path)))
  expect(strangers.flatMap(catchesIn)).toEqual([])
})

test('there is no drawer: no index.ts, no utils.ts, no helpers.ts', () => {
  const drawers = allSourceFiles.filter(({ path }) => /\/(?:index|utils?|helpers?|misc|common)\.tsx?$/.test(path))
  expect(drawers.map(({ path }) => path)).toEqual([])
})

test('nothing is exported without a name', () => {
  const nameless = sourceFiles.filter(({ syntax }) => {
    const entries = syntax.module.staticExports.flatMap((one) => one.entries)
    return entries.some(({ exportName }) => exportName.kind === 'Default')
  })
  expect(nameless.map(({ path }) => path)).toEqual([])
})

test('every file is named in kebab-case', () => {
  const kebab = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)*[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:test|d))*\.tsx?$/
  expect(allSourceFiles.map(({ path }) => path).filter((path) => !kebab.test(path))).toEqual([])
})

/** Places of exports that no doc comment stands directly above. */
function undocumentedIn(file: SourceFile): string[] {
  const ends = file.syntax.comments
    .filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
    .map(({ end }) => end)
  const isDocumented = (start: number) => ends.some((end) => end <= start && file.text.slice(end, start).trim() === '')
  return file.syntax.program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) return []
    // An endpoint says what it is for in its summary, which the API's own document shows.
    const isEndpoint = /^export const \w+ = endpoint\(/.test(file.text.slice(statement.start, statement.end))
    return isEndpoint || isDocumented(statement.start) ? [] : [place(file, statement.start)]
  })
}

test('every export says what it is for', () => {
  expect(sourceFiles.flatMap(undocumentedIn)).toEqual([])
})
