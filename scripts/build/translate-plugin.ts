import { relative } from 'node:path'
import type { Plugin } from 'vite'
import { toLanguage, type Language } from '../../domain/shared/language.ts'
import { readCatalogue, type Translation } from './catalogue.ts'
import { type Sentence, sentencesIn } from './parse-sentences.ts'
import { type Statement, statementsIn } from './parse-statements.ts'

type Edit = { readonly start: number; readonly end: number; readonly text: string }

function edits(sentence: Sentence, translation: Translation | undefined): Edit[] {
  const { start, end, one } = sentence
  const text = typeof translation === 'string' ? translation : (translation?.['other'] ?? sentence.text)
  const written = JSON.stringify(text)
  const whole = { start, end, text: sentence.isAttribute ? `{${written}}` : written }
  if (!one) return [whole]
  const forms = typeof translation === 'object' ? translation : { one: one.text }
  return [{ start: one.start, end: one.end, text: JSON.stringify(forms) }, whole]
}

/** Translates the messages in a domain file, including their interpolated values. */
function translatedStatements(path: string, source: string, catalogue: ReadonlyMap<string, Translation>): string {
  const known = statementsIn(path, source).flatMap((statement) => {
    const translation = catalogue.get(statement.key)
    return typeof translation === 'string' ? [{ ...statement, translation }] : []
  })
  const within = (from: number, to: number): string => {
    let code = ''
    let done = from
    for (const statement of known) {
      if (statement.start < done || statement.end > to) continue
      code += source.slice(done, statement.start) + template(statement)
      done = statement.end
    }
    return code + source.slice(done, to)
  }
  const template = ({ translation, values }: Statement & { readonly translation: string }): string => {
    if (values.size === 0) return JSON.stringify(translation)
    const escaped = translation.replaceAll(/[`\\]|\$\{/g, '\\$&')
    const text = escaped.replaceAll(/\{(\w+)\}/g, (name, key: string) => {
      const place = values.get(key)
      return place === undefined ? name : `\${${within(place.start, place.end)}}`
    })
    return `\`${text}\``
  }
  return within(0, source.length)
}

/** Translates one file; strings without a translation remain in English. */
export function translated(path: string, source: string, catalogue: ReadonlyMap<string, Translation>): string {
  if (path.startsWith('domain/')) return translatedStatements(path, source, catalogue)
  return sentencesIn(path, source)
    .flatMap((sentence) => edits(sentence, catalogue.get(sentence.key)))
    .toSorted((one, other) => other.start - one.start)
    .reduce((code, { start, end, text }) => code.slice(0, start) + text + code.slice(end), source)
}

/** Translates the elements in `index.html` that have `data-translate`. */
function translatedPage(html: string, language: Language, catalogue: ReadonlyMap<string, Translation>): string {
  const translate = (key: string): string => {
    const translation = catalogue.get(key)
    return typeof translation === 'string' ? translation : key
  }
  return html
    .replace('lang="en"', `lang="${language}"`)
    .replaceAll(/ data-translate>([^<]+)</g, (_, key: string) => `>${translate(key)}<`)
}

const relativePath = (id: string): string => relative(process.cwd(), id).replaceAll('\\', '/')

/**
 * Translates at build time, so no catalog is loaded at runtime. Each language is a separate Vite environment; `client`
 * is English.
 */
export function translatePlugin(): Plugin {
  let language: Language = 'en'
  let catalogue: ReadonlyMap<string, Translation> = new Map()
  return {
    name: 'translate',
    apply: 'build',
    enforce: 'pre',
    buildStart() {
      language = toLanguage(this.environment.name) ?? 'en'
      catalogue = readCatalogue(language)
    },
    transform: {
      filter: { id: /\/(?:web|domain)\/[\w/-]+\.tsx?$/ },
      handler: (source, id) => ({ code: translated(relativePath(id), source, catalogue), map: null }),
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => translatedPage(html, language, catalogue),
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const page = bundle['index.html']
        if (page && language !== 'en') page.fileName = `index.${language}.html`
      },
    },
  }
}
