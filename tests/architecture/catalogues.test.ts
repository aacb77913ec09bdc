import { expect, test } from 'vitest'
import { FIELD_KINDS } from '#domain/fields/field.ts'
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

const SENTENCES = new Map(sentencesInSource().map((sentence) => [sentence.key, sentence]))
const DOMAIN_MESSAGES = statementsInSource('domain')
const SERVER_MESSAGES = statementsInSource('server')

const placeholdersOf = (text: string): ReadonlySet<string> => new Set(text.match(/\{\w+\}|<\/?\w+>/g))

/** Whether a translation has the placeholders of its source text; a singular form may omit the number. */
function fits(key: string, form: string, text: string): boolean {
  const { text: other = key, one } = SENTENCES.get(key) ?? {}
  const used = placeholdersOf(text)
  const allowed = placeholdersOf(`${other}${one?.text ?? ''}`)
  const hasAll = [...placeholdersOf(other)].every((name) => used.has(name))
  return [...used].every((name) => allowed.has(name)) && (hasAll || form !== 'other')
}

function errorsIn(key: string, translation: Translation, language: string): string[] {
  const texts = typeof translation === 'string' ? [['other', translation] as const] : Object.entries(translation)
  const isPlural = SENTENCES.get(key)?.isPlural === true
  const forms = isPlural ? new Intl.PluralRules(language).resolvedOptions().pluralCategories : []
  return [
    ...(isPlural === (typeof translation === 'object') ? [] : [`${key}: a plural needs forms, others one text`]),
    ...forms
      .filter((form) => typeof translation === 'object' && translation[form] === undefined)
      .map((form) => `${key}: no ${form}`),
    ...texts
      .filter(([form, text]) => text.trim() === '' || !fits(key, form, text))
      .map(([form]) => `${key}: wrong placeholders in ${form}`),
  ]
}

test.each(TRANSLATED)(
  'every entry in the catalog “%s” has the placeholders and plural forms of its source text',
  (language) => {
    const all = [...readCatalogue(language), ...readServerCatalogue(language)]
    expect(all.flatMap(([key, translation]) => errorsIn(key, translation, language))).toEqual([])
  },
)

test.each(TRANSLATED)('no text appears in two files of the catalog “%s”', (language) => {
  const keys = catalogueFiles(language).flatMap((path) => Object.keys(readCatalogueFile(path)))
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
})

test.each(TRANSLATED)('the catalog “%s” contains no unused texts', (language) => {
  const unused = [...readCatalogue(language).keys()].filter((key) => !SENTENCES.has(key) && !DOMAIN_MESSAGES.has(key))
  const unusedInServer = [...readServerCatalogue(language).keys()].filter((key) => !SERVER_MESSAGES.has(key))
  expect([...unused, ...unusedInServer]).toEqual([])
})

test('the German catalog is complete', () => {
  const inPage = readCatalogue('de')
  const german = new Map([...inPage, ...readServerCatalogue('de')])
  const missing = [...SENTENCES.keys(), ...DOMAIN_MESSAGES, ...SERVER_MESSAGES].filter((key) => !german.has(key))
  // The build translates domain messages; the server's catalog is not used for them.
  const onlyInServer = [...DOMAIN_MESSAGES].filter((key) => !inPage.has(key))
  expect([...missing, ...onlyInServer]).toEqual([])
})

// The build translates domain messages wherever their text occurs.
test('no field type has the same name as a translated message', () => {
  expect(FIELD_KINDS.filter((kind) => DOMAIN_MESSAGES.has(kind))).toEqual([])
})

test('every text in the UI is translatable', () => {
  const files = sourceFiles.filter(({ path }) => /^web\/(?!i18n\/)/.test(path))
  const untranslated = files.flatMap((file) =>
    untranslatedTextsIn(file.path, file.syntax.program).map(
      ({ node, text }) => `${file.path}:${lineOf(file, node.start)} ${text.trim()}`,
    ),
  )
  expect(untranslated).toEqual([])
})
