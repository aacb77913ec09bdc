import type { SelectKind, Field, FieldKind, FilesOptions, TextOptions } from '#domain/fields/field.ts'
import { EXAMPLE_ID } from './examples.ts'
import type { Json } from './json-schema.ts'

/** How a value of one kind is described, and one that fits. */
type KindSchema<Kind extends FieldKind> = {
  readonly schema: (field: Field<Kind>) => Json
  readonly example: (field: Field<Kind>) => unknown
}

const text = (example: string, format?: string): KindSchema<'text' | 'long-text' | 'email' | 'url' | 'phone'> => ({
  schema: ({ options }) => ({ type: ['string', 'null'], ...(format && { format }), ...lengths(options) }),
  example: ({ options }) => fitLength(example, options),
})

/** A text as long as it may be. */
const fitLength = (text: string, { min = 0, max }: TextOptions): string => text.padEnd(min, '.').slice(0, max)

const lengths = ({ min, max, pattern }: TextOptions): Json => ({
  ...(min !== undefined && { minLength: min }),
  ...(max !== undefined && { maxLength: max }),
  // In ours the whole text must match.
  ...(pattern !== undefined && { pattern: `^(?:${pattern})$` }),
})

const namesOf = (field: Field<SelectKind>): readonly string[] => field.options.choices.map(({ name }) => name)

const optionSchema: KindSchema<'select' | 'state'> = {
  schema: (field) => ({ enum: [...namesOf(field), null] }),
  example: (field) => namesOf(field)[0] ?? null,
}

const ids = (description: string): Json => ({ type: 'array', items: { type: 'string' }, description })

/** Values that point at something: one id, or several. */
const pointer = (description: string): KindSchema<'relation' | 'user'> => ({
  schema: ({ options }) => (options.many ? ids(description) : { type: ['string', 'null'], description }),
  example: ({ options }) => (options.many ? [EXAMPLE_ID] : EXAMPLE_ID),
})

const files = ({ max, accept, maxBytes }: FilesOptions): Json => ({
  ...ids('IDs of uploaded files, in order.'),
  ...(max !== undefined && { maxItems: max }),
  ...(accept && { 'x-accept': accept }),
  ...(maxBytes !== undefined && { 'x-max-bytes': maxBytes }),
})

const KINDS: { readonly [Kind in FieldKind]: KindSchema<Kind> } = {
  text: text('Boat house'),
  'long-text': text('Two lines.\nThis is the second.'),
  'rich-text': {
    schema: () => ({
      type: ['object', 'null'],
      description: 'A ProseMirror document. Requests can also send `{ "html": … }` or `{ "markdown": … }`.',
    }),
    example: () => ({ markdown: 'What was **agreed**' }),
  },
  number: {
    schema: ({ options: { min, max } }) => ({
      type: ['number', 'null'],
      ...(min !== undefined && { minimum: min }),
      ...(max !== undefined && { maximum: max }),
    }),
    example: ({ options: { min, max } }) => min ?? Math.min(max ?? 12, 12),
  },
  checkbox: { schema: () => ({ type: 'boolean' }), example: () => true },
  date: { schema: () => ({ type: ['string', 'null'], format: 'date' }), example: () => '2026-11-05' },
  'date-time': {
    schema: () => ({ type: ['string', 'null'], format: 'date-time' }),
    example: () => '2026-11-05T09:30:00.000Z',
  },
  select: optionSchema,
  state: optionSchema,
  'multi-select': {
    schema: (field) => ({ type: 'array', items: { enum: namesOf(field) }, uniqueItems: true }),
    example: (field) => namesOf(field).slice(0, 2),
  },
  email: text('ada@example.org', 'email'),
  url: text('https://example.org', 'uri'),
  phone: text('+43 1 234567'),
  relation: pointer('Record ID; with `expand`, its ID and title.'),
  user: pointer('User ID; with `expand`, their ID and name.'),
  files: { schema: ({ options }) => files(options), example: () => [EXAMPLE_ID] },
  'auto-number': {
    schema: () => ({ type: ['integer', 'null'], readOnly: true, description: 'Assigned by the server.' }),
    example: () => 1,
  },
  json: { schema: () => ({ description: 'Any JSON.' }), example: () => ({ any: 'thing' }) },
}

// The table has the very kind under its own name, which TypeScript cannot follow through the lookup.
const kindSchemaOf = ({ kind }: Field): KindSchema<FieldKind> => KINDS[kind] as KindSchema<FieldKind>

/** How a field's value is described. */
export const schemaOfField = (field: Field): Json => ({ title: field.label, ...kindSchemaOf(field).schema(field) })

/** Whether an example can be made that the server takes: what points at something, and what has a form of its own, it cannot. */
export const hasExample = ({ kind, options }: Field): boolean =>
  !['relation', 'user', 'files'].includes(kind) && !('pattern' in options && options.pattern !== undefined)

/** A value that fits a field. */
export const exampleOfField = (field: Field): unknown => kindSchemaOf(field).example(field)
