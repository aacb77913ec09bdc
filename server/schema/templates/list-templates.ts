import type { TemplateBody } from '#api/templates.ts'
import type { Language } from '#domain/languages/language.ts'
import type { Template, TemplateCollection } from '#domain/templates/template.ts'
import { templatesIn } from './all-templates.ts'

/** Story: what each template would make, small enough to be looked at before one is chosen. */
export const listTemplates = (language: Language): TemplateBody[] => templatesIn(language).map(showTemplate)

const showTemplate = ({ id, label, purpose, collections }: Template): TemplateBody => ({
  id,
  label,
  purpose,
  collections: collections.map(showDescribed),
})

function showDescribed({ label, fields, rules = [], views, records }: TemplateCollection) {
  const states = fields.find(({ kind }) => kind === 'state')?.options?.choices ?? []
  return {
    label,
    fields: fields.map((field) => ({ label: field.label, kind: field.kind })),
    states: states.map(({ name, color = 'gray' }) => ({ name, color })),
    rules: rules.map(({ message }) => message),
    views: views.map(({ name }) => name),
    examples: records.length,
  }
}
