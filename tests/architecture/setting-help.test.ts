import { Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import { SETTINGS } from '#web/shared/setting-help/settings.ts'
import { lineOf, type SourceFile, sourceFiles } from './source-files.ts'

/** Input elements. */
const INPUT =
  /^(?:input|textarea|select|Textarea|Checkbox|Switch|Slider|OptionSet|Dropdown|(?:Multi|Native)?Select|SegmentedControl|(?:Text|Number|Tags|Date)Input|(?:Radio|Checkbox)\.Group|LazyConditionBuilder)$/

/** Inputs without a help text, and why. */
const NEED_NO_HELP: readonly { readonly where: RegExp; readonly because: string }[] = [
  { where: /^features\/auth\//, because: 'before the sign-in there is nothing to set, and every byte counts' },
  {
    where: /^features\/account\/(?:password\/|second-factors\/recovery)/,
    because: 'asks for what one knows, or has seen',
  },
  { where: /^features\/account\/passkeys\/passkey-row/, because: 'the name is explained where the passkey is made' },
  {
    where: /^features\/(?:search|list-toolbar\/(?:filter|sort-and-group)|api-docs)\//,
    because: 'asks for something, and keeps nothing',
  },
  { where: /^features\/(?:[\w-]+\/)+(?:audit|user|sidebar)-filter/, because: 'asks for something, and keeps nothing' },
  {
    where: /^(?:views\/(?:cards|grid)\/|features\/(?:record-list\/|bulk\/(?!export\/)))/,
    because: 'takes values of records',
  },
  {
    where: /^(?:shared\/workflow\/comment-form|features\/record\/body\/title-input)/,
    because: 'takes values of records',
  },
  {
    where: /^features\/schema\/templates\/templates-dialog\.tsx input$/,
    because: 'shows beside it what it makes',
  },
  {
    where: /^features\/import\/(?:plan\/column-mapping|choose-file)/,
    because: 'the heads of the table say what they are',
  },
  { where: /^features\/roles\/examples\/example-dialog/, because: 'one sentence, explained where it begins' },
  {
    where: /^features\/roles\/explain\/(?:explain-access|field-picker)/,
    because: 'asks for something, and keeps nothing',
  },
  { where: /^features\/roles\/role-view/, because: 'the sentence above it says what it is' },
  {
    where: /^features\/roles\/grants\/(?:grant-scope|default-values)/,
    because: 'comes with a choice that is explained',
  },
  { where: /^(?:field-kinds|shared)\/(?!.*\/options\.tsx|.*limit-input)/, because: 'takes values of records' },
]

/** Settings in menus, which contain no help text. */
const IN_MENUS: ReadonlySet<string> = new Set(['scheme', 'density', 'language'])

type Input = { readonly file: SourceFile; readonly name: string; readonly start: number; readonly within: string[] }

const settingFiles = sourceFiles.filter(({ path }) =>
  /^web\/(?:features|views|field-kinds|shared|pages)\/.*\.tsx$/.test(path),
)

/** Inputs of a file outside help, and components inside it. */
function readInputs(file: SourceFile) {
  const open: string[] = []
  const functions: string[] = []
  const inputs: Input[] = []
  const explained: string[] = []
  const enter = (name: string | undefined) => void functions.push(name ?? '')
  const leave = () => void functions.pop()
  new Visitor({
    FunctionDeclaration: ({ id }) => enter(id?.name),
    'FunctionDeclaration:exit': leave,
    VariableDeclarator: ({ id }) => enter(id.type === 'Identifier' ? id.name : undefined),
    'VariableDeclarator:exit': leave,
    JSXElement({ openingElement: { name, start } }) {
      const said = file.text.slice(name.start, name.end)
      if (open.includes('WithHelp')) explained.push(said)
      else if (INPUT.test(said)) inputs.push({ file, name: said, start, within: [...functions] })
      open.push(said)
    },
    'JSXElement:exit': () => void open.pop(),
  }).visit(file.syntax.program)
  return { inputs, explained }
}

test('whatever can be set says in place what it is, or why it need not', () => {
  const read = settingFiles.map(readInputs)
  // Components drawn inside the help of another component.
  const explained = new Set(read.flatMap((one) => one.explained))
  const silent = read
    .flatMap(({ inputs }) => inputs)
    .filter(({ within }) => !within.some((name) => explained.has(name)))
    .map(({ file, name, start }) => ({ told: `${file.path.replace(/^web\//, '')} ${name}`, line: lineOf(file, start) }))
  const needed = silent.filter(({ told }) => !NEED_NO_HELP.some(({ where }) => where.test(told)))
  expect(needed.map(({ told, line }) => `${told} in line ${line}`)).toEqual([])
  const idle = NEED_NO_HELP.filter(({ where }) => !silent.some(({ told }) => where.test(told)))
  expect(idle.map(({ where }) => String(where))).toEqual([])
})

test('every setting that help explains is set somewhere', () => {
  const texts = sourceFiles
    .filter(({ path }) => /^web\/(?!shared\/setting-help\/)/.test(path))
    .map(({ text }) => text)
    .join('\n')
  const named = (name: string) => texts.includes(`'${name}'`) || texts.includes(`"${name}"`)
  expect(Object.keys(SETTINGS).filter((name) => !IN_MENUS.has(name) && !named(name))).toEqual([])
})
