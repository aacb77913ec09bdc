import { Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import { allSourceFiles, lineOf, type SourceFile, sourceFiles } from './source-files.ts'

const place = (file: SourceFile, offset: number) => `${file.path}:${lineOf(file, offset)}`

/** Only these files catch exceptions, because they turn outside failures into problems. */
const MAY_CATCH: readonly { readonly where: RegExp; readonly because: string }[] = [
  { where: /^server\/http\/responses\/errors\.ts$/, because: 'every exception ends here as an answer' },
  { where: /^server\/http\/retry-stale-read\.ts$/, because: 'a read that met a change of fields is begun anew' },
  { where: /^server\/records\/jobs\//, because: 'a job that fails is written down and tried again' },
  { where: /^server\/platform\/(?:storage|database)\//, because: 'disks, drivers and servers fail by throwing' },
  { where: /^server\/(?:config|main|cli)\.ts$/, because: 'a start that fails says one sentence and ends' },
  { where: /^web\/data\/api\/(?:call|send-request)\.ts$/, because: 'the network fails by throwing' },
  { where: /^web\/data\/session\/token-claims\.ts$/, because: 'a token that is no JWT is only told by throwing' },
  { where: /^web\/data\/storage\/browser-storage\.ts$/, because: 'a browser may refuse to keep anything' },
  {
    where: /^server\/platform\/crypto\/key-file\.ts$/,
    because: 'files fail by throwing, and a lock that is taken too',
  },
  {
    where: /^server\/identity\/attempts\/attempt-counter\.ts$/,
    because: 'a try that throws has failed: it is counted, and flies on',
  },
  {
    where: /^server\/records\/changes\/commit-change\.ts$/,
    because: 'only the database can tell that a value is taken',
  },
  { where: /^domain\/collections\/check-field\.ts$/, because: 'a wrong regular expression is only told by throwing' },
  {
    where: /^(?:server\/transfer\/imports\/csv\/read-csv|web\/shared\/files\/decode-text)\.ts$/,
    because: 'bytes that do not fit are only told by throwing',
  },
  { where: /^domain\/fields\/json\.ts$/, because: 'a text that is no JSON is only told by throwing' },
  { where: /^domain\/shared\/time\.ts$/, because: 'an unknown time zone is only told by throwing' },
]

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
  const strangers = sourceFiles.filter(({ path }) => !MAY_CATCH.some(({ where }) => where.test(path)))
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

/** Places of exports that have no doc comment above; a line that gives a reason may stand between the two. */
function undocumentedIn(file: SourceFile): string[] {
  const ends = file.syntax.comments
    .filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
    .map(({ end }) => end)
  const isOnlyReason = (between: string) => between.replaceAll(/^\s*\/\/.*$/gm, '').trim() === ''
  const isDocumented = (start: number) => ends.some((end) => end <= start && isOnlyReason(file.text.slice(end, start)))
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
