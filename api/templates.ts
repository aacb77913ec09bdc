import { z } from 'zod'
import { COLLECTION_ICONS } from '#domain/collections/collection-appearance.ts'
import { OPTION_COLORS, FIELD_KINDS } from '#domain/fields/field.ts'
import { LANGUAGES } from '#domain/shared/language.ts'
import { endpoint } from './endpoint.ts'

const MAX_COLLECTIONS = 20

export const templateLanguage = z.enum(LANGUAGES).default('en')

const templateBody = z.object({
  id: z.string(),
  label: z.string(),
  purpose: z.string(),
  alsoCalled: z.string().describe('Alternative names used in search.'),
  icon: z.enum(COLLECTION_ICONS).optional(),
  color: z.enum(OPTION_COLORS).optional(),
  collections: z.array(
    z.object({
      label: z.string(),
      fields: z.array(z.object({ label: z.string(), kind: z.enum(FIELD_KINDS) })),
      states: z.array(z.object({ name: z.string(), color: z.enum(OPTION_COLORS) })),
      rules: z.array(z.string()),
      views: z.array(z.string()),
      examples: z.number(),
    }),
  ),
})

export type TemplateBody = z.infer<typeof templateBody>

/** The template's main collection comes last. */
const usedTemplateBody = z.object({
  collections: z.array(z.object({ id: z.string(), name: z.string(), label: z.string() })),
})

export type UsedTemplateBody = z.infer<typeof usedTemplateBody>

export const listTemplates = endpoint({
  method: 'GET',
  path: '/api/templates',
  summary: 'List templates. Each contains collections that work together.',
  query: z.strictObject({ language: templateLanguage }),
  response: z.object({ items: z.array(templateBody) }),
})

export const useTemplate = endpoint({
  method: 'POST',
  path: '/api/templates/:template/use',
  summary: 'Create a template’s collections atomically, optionally with example records.',
  params: z.object({ template: z.string() }),
  body: z.strictObject({ withExamples: z.boolean().default(false), language: templateLanguage }),
  response: usedTemplateBody,
  status: 201,
  problems: ['not-found', 'definition-invalid'],
})

export const undoTemplate = endpoint({
  method: 'POST',
  path: '/api/templates/undo',
  summary: 'Delete the collections created from a template. Fails if anything in them was changed.',
  body: z.strictObject({ collections: z.array(z.string()).min(1).max(MAX_COLLECTIONS) }),
  response: 'empty',
  problems: ['collection-not-found', 'definition-invalid', 'in-use', 'change-running'],
})
