import { expect, test } from 'vitest'
import { translated } from './translate-plugin.ts'
import { statementsIn } from './parse-statements.ts'

const IMPORTS = `import { plural, t } from '#web/i18n/t.ts'\n`

const inGerman = (line: string, catalogue: { readonly [key: string]: string | { readonly [form: string]: string } }) =>
  translated('a.tsx', `${IMPORTS}${line}`, new Map(Object.entries(catalogue))).slice(IMPORTS.length)

test('replaces a sentence without placeholders with its translation', () => {
  expect(inGerman(`const a = t('Save')`, { Save: 'Speichern' })).toBe('const a = "Speichern"')
  expect(inGerman(`const a = t('Save')`, {})).toBe('const a = "Save"')
})

test('keeps placeholder values and translates sentences inside them', () => {
  const catalogue = { 'Delete {what}': '{what} löschen', 'the field': 'das Feld' }
  expect(inGerman(`t('Delete {what}', { what: t('the field') })`, catalogue)).toBe(
    't("{what} löschen", { what: "das Feld" })',
  )
})

test('writes every plural form of the language', () => {
  const catalogue = { '{n} days': { one: '{n} Tag', other: '{n} Tage' } }
  expect(inGerman(`plural(n, '{n} day', '{n} days')`, catalogue)).toBe(
    'plural(n, {"one":"{n} Tag","other":"{n} Tage"}, "{n} Tage")',
  )
})

test('translates the same English word differently by context', () => {
  const catalogue = { Open: 'Öffnen', 'Open [state]': 'Offen' }
  expect(inGerman(`[t('Open'), t('Open', {}, 'state')]`, catalogue)).toBe('["Öffnen", "Offen"]')
})

test('translates texts with tags and concatenated texts', () => {
  expect(inGerman(`<Say text="Open & <b>see</b>" parts={p} />`, { 'Open & <b>see</b>': '<b>Ansehen</b>' })).toBe(
    '<Say text={"<b>Ansehen</b>"} parts={p} />',
  )
  expect(inGerman(`t('one ' + 'two')`, { 'one two': 'eins "zwei"' })).toBe('"eins \\"zwei\\""')
})

test('fails the build if a translatable text is computed', () => {
  expect(() => inGerman('t(name)', {})).toThrow('must be a literal')
})

test('translates domain messages and reorders their placeholder values', () => {
  const source = 'export const message = (field: string) => `There is no field “${field.trim()}”.`'
  const catalogue = new Map([['There is no field “{field}”.', 'Ein Feld `{field}` gibt es nicht.']])
  expect(translated('domain/rules/check.ts', source, catalogue)).toBe(
    'export const message = (field: string) => `Ein Feld \\`${field.trim()}\\` gibt es nicht.`',
  )
  expect(translated('domain/rules/check.ts', source, new Map())).toBe(source)
})

test("translates words inside a message's values", () => {
  const source = "const message = (isDay: boolean) => `It is compared with ${isDay ? 'a day' : 'no value'}.`"
  const catalogue = new Map([
    ['It is compared with {value}.', 'Verglichen wird mit {value}.'],
    ['a day', 'einem Tag'],
  ])
  expect(translated('domain/query/x.ts', source, catalogue)).toBe(
    'const message = (isDay: boolean) => `Verglichen wird mit ${isDay ? "einem Tag" : \'no value\'}.`',
  )
})

test('extracts single words, quotes and server-composed messages for translation', () => {
  const keysIn = (path: string, source: string) => statementsIn(path, source).map(({ key }) => key)
  expect(keysIn('domain/query/filter/operators.ts', `const A = { words: 'is' }`)).toEqual(['is'])
  expect(
    keysIn('domain/access/describe-grant.ts', `const a = { coverage: isWhole ? 'all' : 'some', text: 'no' }`),
  ).toEqual(['no'])
  expect(keysIn('domain/any.ts', `const a = (name: string) => \`“\${name}”\``)).toEqual(['“{name}”'])
  expect(keysIn('server/any/story.ts', `const message = 'The file is empty.'\nlog.warn('a file was empty')`)).toEqual([
    'The file is empty.',
  ])
  expect(keysIn('server/any/letters.ts', `const news = { en: 'It was changed.', de: 'Es wurde geändert.' }`)).toEqual(
    [],
  )
})
