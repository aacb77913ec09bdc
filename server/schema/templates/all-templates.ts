import type { Language } from '#domain/shared/language.ts'
import { type Template, translateTemplate } from '#domain/collections/template.ts'
import { APPLICANTS } from './content/applicants.ts'
import { ASSETS } from './content/assets.ts'
import { CASES } from './content/cases.ts'
import german from './content/de.json' with { type: 'json' }
import { EDITORIAL } from './content/editorial.ts'
import { RESEARCH_SAMPLES } from './content/research-samples.ts'

export const TEMPLATES: readonly Template[] = [CASES, ASSETS, APPLICANTS, RESEARCH_SAMPLES, EDITORIAL]

const GERMAN: ReadonlyMap<string, string> = new Map(Object.entries(german))

export const templatesIn = (language: Language): readonly Template[] =>
  language === 'de' ? TEMPLATES.map((each) => translateTemplate(each, (text) => GERMAN.get(text) ?? text)) : TEMPLATES
