import { Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import { allSourceFiles, lineOf, type SourceFile, sourceFiles } from './source-files.ts'

const positionOf = (file: SourceFile, offset: number) => `${file.path}:${lineOf(file, offset)}`

/** Only these files catch exceptions, because they convert external failures into problems. */
const MAY_CATCH: readonly { readonly where: RegExp; readonly because: string }[] = [
  { where: /^server\/http\/responses\/errors\.ts$/, because: 'every exception becomes a response here' },
  { where: /^server\/http\/mount-route\.ts$/, because: 'a read that meets a changed definition is repeated' },
  { where: /^server\/records\/jobs\//, because: 'a failed job is recorded and retried' },
  { where: /^server\/platform\/(?:storage|database)\//, because: 'disks, drivers and servers fail by throwing' },
  { where: /^server\/(?:config|main|cli)\.ts$/, because: 'a failed start prints one sentence and exits' },
  { where: /^web\/data\/api\/(?:call|send-request)\.ts$/, because: 'the network fails by throwing' },
  { where: /^web\/data\/session\/token-claims\.ts$/, because: 'decoding an invalid token throws' },
  { where: /^web\/data\/storage\/browser-storage\.ts$/, because: 'a browser may deny storage' },
  {
    where: /^server\/platform\/crypto\/key-file\.ts$/,
    because: 'file operations and taken locks throw',
  },
  {
    where: /^server\/identity\/attempts\/attempt-counter\.ts$/,
    because: 'an attempt that throws is counted as failed and rethrown',
  },
  {
    where: /^server\/records\/changes\/commit-change\.ts$/,
    because: 'only the database knows that a value is taken',
  },
  { where: /^server\/records\/crud\/sealed-cursors\.ts$/, because: 'decrypting a modified cursor throws' },
  { where: /^domain\/fields\/field-options\.ts$/, because: 'an invalid regular expression throws' },
  {
    where: /^(?:server\/transfer\/imports\/csv\/read-csv|web\/shared\/files\/decode-text)\.ts$/,
    because: 'decoding invalid bytes throws',
  },
  { where: /^domain\/fields\/json\.ts$/, because: 'parsing invalid JSON throws' },
  { where: /^domain\/shared\/time\.ts$/, because: 'an unknown time zone throws' },
]

function catchesIn(file: SourceFile): string[] {
  const found: string[] = []
  new Visitor({
    CatchClause: ({ start }) => void found.push(positionOf(file, start)),
    CallExpression({ callee, start }) {
      const isCatch = callee.type === 'MemberExpression' && !callee.computed && callee.property.name === 'catch'
      if (isCatch) found.push(positionOf(file, start))
    },
  }).visit(file.syntax.program)
  return found
}

test('only the listed files catch exceptions', () => {
  const others = sourceFiles.filter(({ path }) => !MAY_CATCH.some(({ where }) => where.test(path)))
  expect(others.flatMap(catchesIn)).toEqual([])
})

test('no file is named index, utils, helpers, misc or common', () => {
  const found = allSourceFiles.filter(({ path }) => /\/(?:index|utils?|helpers?|misc|common)\.tsx?$/.test(path))
  expect(found.map(({ path }) => path)).toEqual([])
})

test('there are no default exports', () => {
  const withDefault = sourceFiles.filter(({ syntax }) => {
    const entries = syntax.module.staticExports.flatMap((one) => one.entries)
    return entries.some(({ exportName }) => exportName.kind === 'Default')
  })
  expect(withDefault.map(({ path }) => path)).toEqual([])
})

test('file names are kebab-case', () => {
  const kebab = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)*[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:test|d))*\.tsx?$/
  expect(allSourceFiles.map(({ path }) => path).filter((path) => !kebab.test(path))).toEqual([])
})
