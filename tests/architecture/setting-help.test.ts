import { Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import { SETTINGS } from '#web/shared/setting-help/settings.ts'
import { lineOf, type SourceFile, sourceFiles } from './source-files.ts'

const INPUT =
  /^(?:input|textarea|select|Textarea|Checkbox|Switch|Slider|OptionSet|Dropdown|(?:Multi|Native)?Select|SegmentedControl|(?:Text|Number|Tags|Date)Input|(?:Radio|Checkbox)\.Group|LazyConditionBuilder)$/

/** Inputs without a help text, with reasons. */
const WITHOUT_HELP: readonly { readonly where: RegExp; readonly because: string }[] = [
  { where: /^features\/auth\//, because: 'the sign-in page has no settings and must stay small' },
  {
    where: /^features\/account\/(?:password-panel|second-factors\/recovery)/,
    because: 'takes a secret of the user',
  },
  {
    where: /^features\/account\/second-factors\/passkeys-panel\.tsx TextInput$/,
    because: 'the name is explained when the passkey is created',
  },
  {
    where:
      /^(?:features\/(?:search|list-toolbar\/(?:as-of|filter|sort-and-group)|api-docs|trash|record\/record-history)|pages\/records\/(?:activity-page|use-collection-filter))/,
    because: 'is not stored',
  },
  {
    where:
      /^features\/(?:users\/(?:audit\/audit-filter|user-list)|schema\/sidebar\/collection-sidebar\.tsx TextInput$)/,
    because: 'is not stored',
  },
  {
    where: /^(?:views\/(?:cards|grid)\/|features\/(?:record-list\/|bulk\/(?!export-)))/,
    because: 'takes values of records',
  },
  {
    where: /^(?:shared\/workflow\/comment-form|features\/record\/record-body|views\/board\/move-dialog)/,
    because: 'takes values of records',
  },
  {
    where: /^views\/(?:calendar\/calendar-toolbar|timeline\/timeline)\.tsx SegmentedControl$/,
    because: 'is chosen above the records, where its effect is visible',
  },
  {
    where: /^features\/schema\/collection\/templates-dialog\.tsx input$/,
    because: 'shows a preview',
  },
  {
    where: /^features\/import\/(?:column-|import-wizard\.tsx input$)/,
    because: 'the table headers name them',
  },
  { where: /^features\/import\/import-check/, because: 'takes values of records' },
  { where: /^features\/roles\/example-dialog/, because: 'is part of a sentence with help' },
  {
    where: /^features\/roles\/explain\/(?:explain-access|access-question)/,
    because: 'is not stored',
  },
  { where: /^features\/roles\/role-view/, because: 'the sentence above explains it' },
  { where: /^features\/roles\/matrix\/copy-row-dialog/, because: 'the sentence below explains it' },
  {
    where: /^features\/roles\/grants\/(?:grant-scope|grant-form\.tsx Switch$)/,
    because: 'belongs to an option with help',
  },
  { where: /^(?:field-kinds|shared)\/(?!.*\/options\.tsx|.*limit-input)/, because: 'takes values of records' },
]

/** Settings in menus, which contain no help text. */
const IN_MENUS: ReadonlySet<string> = new Set(['scheme', 'density', 'language'])

type Input = { readonly file: SourceFile; readonly name: string; readonly start: number; readonly within: string[] }

const settingFiles = sourceFiles.filter(({ path }) =>
  /^web\/(?:features|views|field-kinds|shared|pages)\/.*\.tsx$/.test(path),
)

/** Inputs in a file that are outside help components, and the components rendered inside help components. */
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

test('every setting has help text, or a reason for omitting it', () => {
  const read = settingFiles.map(readInputs)
  // Components rendered inside another component's help.
  const explained = new Set(read.flatMap((one) => one.explained))
  const unexplained = read
    .flatMap(({ inputs }) => inputs)
    .filter(({ within }) => !within.some((name) => explained.has(name)))
    .map(({ file, name, start }) => ({
      place: `${file.path.replace(/^web\//, '')} ${name}`,
      line: lineOf(file, start),
    }))
  const needed = unexplained.filter(({ place }) => !WITHOUT_HELP.some(({ where }) => where.test(place)))
  expect(needed.map(({ place, line }) => `${place} in line ${line}`)).toEqual([])
  const unused = WITHOUT_HELP.filter(({ where }) => !unexplained.some(({ place }) => where.test(place)))
  expect(unused.map(({ where }) => String(where))).toEqual([])
})

test('every help text belongs to an existing setting', () => {
  const texts = sourceFiles
    .filter(({ path }) => /^web\/(?!shared\/setting-help\/)/.test(path))
    .map(({ text }) => text)
    .join('\n')
  const named = (name: string) => texts.includes(`'${name}'`) || texts.includes(`"${name}"`)
  expect(Object.keys(SETTINGS).filter((name) => !IN_MENUS.has(name) && !named(name))).toEqual([])
})
