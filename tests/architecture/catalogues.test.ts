import { expect, test } from 'vitest'
import { LANGUAGES } from '#domain/shared/language.ts'
import { untranslatedTextsIn } from '../../scripts/build/untranslated-texts.ts'
import {
  catalogueFiles,
  readCatalogue,
  readCatalogueFile,
  readServerCatalogue,
  type Translation,
} from '../../scripts/build/catalogue.ts'
import { sentencesInSource, statementsInSource } from '../../scripts/build/sentences-in-source.ts'
import { lineOf, sourceFiles } from './source-files.ts'

const [, ...TRANSLATED] = LANGUAGES

const SAID = new Map(sentencesInSource().map((sentence) => [sentence.key, sentence]))
const STATED = statementsInSource('domain')
const SERVED = statementsInSource('server')

const insidesOf = (text: string): ReadonlySet<string> => new Set(text.match(/\{\w+\}|<\/?\w+>/g))

/** Whether a translation has the placeholders of its sentence; a singular form may leave out the number. */
function fits(key: string, form: string, text: string): boolean {
  const { text: other = key, one } = SAID.get(key) ?? {}
  const there = insidesOf(text)
  const allowed = insidesOf(`${other}${one?.text ?? ''}`)
  const hasAll = [...insidesOf(other)].every((name) => there.has(name))
  return [...there].every((name) => allowed.has(name)) && (hasAll || form !== 'other')
}

function faultsIn(key: string, said: Translation, language: string): string[] {
  const texts = typeof said === 'string' ? [['other', said] as const] : Object.entries(said)
  const isPlural = SAID.get(key)?.isPlural === true
  const forms = isPlural ? new Intl.PluralRules(language).resolvedOptions().pluralCategories : []
  return [
    ...(isPlural === (typeof said === 'object') ? [] : [`${key}: a plural has forms, others one text`]),
    ...forms.filter((form) => typeof said === 'object' && said[form] === undefined).map((form) => `${key}: no ${form}`),
    ...texts
      .filter(([form, text]) => text.trim() === '' || !fits(key, form, text))
      .map(([form]) => `${key}: other names or marks in ${form}`),
  ]
}

test.each(TRANSLATED)(
  'every entry of the catalogue “%s” has the names, marks and forms of its sentence',
  (language) => {
    const all = [...readCatalogue(language), ...readServerCatalogue(language)]
    expect(all.flatMap(([key, said]) => faultsIn(key, said, language))).toEqual([])
  },
)

test.each(TRANSLATED)('no sentence is in two files of the catalogue “%s”', (language) => {
  const keys = catalogueFiles(language).flatMap((path) => Object.keys(readCatalogueFile(path)))
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
})

test.each(TRANSLATED)('the catalogue “%s” holds nothing that nobody says any more', (language) => {
  const unused = [...readCatalogue(language).keys()].filter((key) => !SAID.has(key) && !STATED.has(key))
  const unserved = [...readServerCatalogue(language).keys()].filter((key) => !SERVED.has(key))
  expect([...unused, ...unserved]).toEqual([])
})

test('German is complete', () => {
  const inPage = readCatalogue('de')
  const german = new Map([...inPage, ...readServerCatalogue('de')])
  const missing = [...SAID.keys(), ...STATED, ...SERVED].filter((key) => !german.has(key))
  // The build translates messages of the domain; the server's catalogue is not read for them.
  const misplaced = [...STATED].filter((key) => !inPage.has(key))
  expect([...missing, ...misplaced]).toEqual([])
})

test('whatever the interface says to people goes through its language', () => {
  const files = sourceFiles.filter(({ path }) => /^web\/(?!i18n\/)/.test(path))
  const bare = files.flatMap((file) =>
    untranslatedTextsIn(file.path, file.syntax.program).map(
      ({ node, text }) => `${file.path}:${lineOf(file, node.start)} ${text.trim()}`,
    ),
  )
  expect(bare).toEqual([])
})
