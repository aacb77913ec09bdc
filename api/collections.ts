import { z } from 'zod'
import {
  OPTION_COLORS,
  FIELD_KINDS,
  FORMULA_RESULTS,
  MAX_LISTED_FIELDS,
  MAX_UNIT_LENGTH,
  NUMBER_FORMATS,
  ROLLUP_FUNCTIONS,
} from '#domain/fields/field.ts'
import { PERMISSIONS } from '#domain/access/permission.ts'
import { MAX_FIELDS } from '#domain/collections/collection.ts'
import { COLLECTION_ICONS, MAX_GROUP_NAME_LENGTH } from '#domain/collections/collection-appearance.ts'
import { MAX_SECTIONS, MAX_SECTION_TITLE_LENGTH } from '#domain/collections/record-layout.ts'
import { MAX_COLLECTION_DESCRIPTION_LENGTH, MAX_FIELD_DESCRIPTION_LENGTH } from '#domain/collections/names.ts'
import { MAX_FORMULA_LENGTH } from '#domain/formulas/formula-limits.ts'
import { MAX_PATH_RELATIONS } from '#domain/query/query-limits.ts'
import { endpoint } from './endpoint.ts'
import { filterInput } from './filters.ts'
import { brokenBody, ruleBody, rulesInput } from './rules.ts'
import { workflowBody, workflowInput } from './workflows.ts'

/** The shape of `options` depends on the field kind (specification, “Collections and records”). */
const fieldBody = z.object({
  id: z.string(),
  name: z.string(),
  label: z.string(),
  /** Plain-text help shown when editing the field; absent if there is none. */
  description: z.string().optional(),
  kind: z.enum(FIELD_KINDS),
  required: z.boolean(),
  unique: z.boolean(),
  default: z.unknown(),
  /** Calculates the default value of new records; empty if it uses fields that you can’t read. */
  defaultFormula: z.string().optional(),
  options: z.record(z.string(), z.unknown()),
})

const appearanceBody = {
  /** If absent, the default folder icon is used. */
  icon: z.enum(COLLECTION_ICONS).optional(),
  color: z.enum(OPTION_COLORS).optional(),
  group: z.string().optional(),
  /** Plain text; absent if there is no description. */
  description: z.string().optional(),
}

const fieldDescription = z.string().trim().max(MAX_FIELD_DESCRIPTION_LENGTH)
const collectionDescription = z.string().trim().max(MAX_COLLECTION_DESCRIPTION_LENGTH)

const groupName = z.string().trim().min(1).max(MAX_GROUP_NAME_LENGTH)

const fieldsPerLine = z.union([z.literal(1), z.literal(2)])

const layoutBody = z.object({
  sections: z.array(z.object({ title: z.string(), fieldsPerLine, fields: z.array(z.string()) })),
  hiddenWhenEmpty: z.array(z.string()),
})

const layoutFields = z.array(z.string().max(63)).max(MAX_FIELDS)

/** Refers to fields by name or ID. */
const layoutInput = z.strictObject({
  sections: z
    .array(
      z.strictObject({
        title: z.string().trim().max(MAX_SECTION_TITLE_LENGTH).default(''),
        fieldsPerLine: fieldsPerLine.default(1),
        fields: layoutFields,
      }),
    )
    .max(MAX_SECTIONS),
  /** Fields that a record shows only if they have a value. Empty required fields are always shown. */
  hiddenWhenEmpty: layoutFields.default([]),
})

/** Collection definition, excluding fields that the actor can't read. */
export const collectionBody = z.object({
  id: z.string(),
  name: z.string(),
  label: z.string(),
  ...appearanceBody,
  fields: z.array(fieldBody),
  titleField: z.string().nullable(),
  /** If absent, the collection has no workflow, and a status field can be edited like a select field. */
  workflow: workflowBody.optional(),
  /** Excludes rules that use hidden fields. */
  rules: z.array(ruleBody).optional(),
  /**
   * Arrangement of a record's fields, by name. Fields that it doesn't contain come last. If absent, fields are in the
   * order of `fields`, with long ones last.
   */
  layout: layoutBody.optional(),
  /** Workspace time zone, in which groups by day, week or month and the days of rules begin. */
  timeZone: z.string(),
  version: z.number(),
  can: z.array(z.enum(PERMISSIONS)),
  /** Access restrictions by field name, for actions in `can`. */
  closed: z
    .record(
      z.string(),
      z.object({
        read: z.literal('partly').optional(),
        create: z.enum(['partly', 'wholly']).optional(),
        update: z.enum(['partly', 'wholly']).optional(),
      }),
    )
    .optional(),
})

export type CollectionBody = z.infer<typeof collectionBody>

const choiceInput = z.strictObject({
  id: z.string().optional(),
  name: z.string().trim().min(1).max(120),
  color: z.enum(OPTION_COLORS).optional(),
})

const optionsInput = z.strictObject({
  min: z.number().optional(),
  max: z.number().optional(),
  pattern: z.string().max(500).optional(),
  decimals: z.number().int().min(0).max(15).optional(),
  format: z.enum(NUMBER_FORMATS).optional(),
  /** ISO 4217 currency code. */
  currency: z.string().max(3).optional(),
  unit: z.string().max(MAX_UNIT_LENGTH).optional(),
  /** Whether to show thousands separators; defaults to true. */
  grouping: z.boolean().optional(),
  choices: z.array(choiceInput).max(1000).optional(),
  collection: z.string().optional(),
  many: z.boolean().optional(),
  /** Name or ID of the relation in `collection` that a reverse side shows. */
  relation: z.string().optional(),
  /** Names or IDs of the fields that a reverse side lists next to the titles of linked records. */
  fields: z.array(z.string()).max(MAX_LISTED_FIELDS).optional(),
  accept: z.array(z.string().max(100)).max(50).optional(),
  maxBytes: z.number().int().min(1).optional(),
  /** Strips location metadata from images before storing them. */
  stripLocation: z.boolean().optional(),
  /** Refers to fields by name or ID. */
  formula: z.string().max(MAX_FORMULA_LENGTH).optional(),
  /** Names or IDs of the relations and reverse sides that lead to the linked records. */
  path: z.array(z.string().max(63)).max(MAX_PATH_RELATIONS).optional(),
  /** Name or ID of a field of the linked records, of a lookup or rollup. */
  field: z.string().max(63).optional(),
  function: z.enum(ROLLUP_FUNCTIONS).optional(),
  /** Which linked records a lookup, count or rollup includes. Text or tree; it can only use their own fields. */
  filter: filterInput.optional(),
})

export type OptionsInput = z.infer<typeof optionsInput>

/** If `name` is omitted, it is derived from the label. */
export const fieldInput = z.strictObject({
  name: z.string().max(63).optional(),
  label: z.string().trim().min(1).max(120),
  description: fieldDescription.optional(),
  kind: z.enum(FIELD_KINDS),
  required: z.boolean().default(false),
  unique: z.boolean().default(false),
  default: z.unknown().optional(),
  /** Calculates the default value of new records, in place of `default`. Refers to fields by name or ID. */
  defaultFormula: z.string().max(MAX_FORMULA_LENGTH).optional(),
  options: optionsInput.default({}),
})

export type FieldInput = z.infer<typeof fieldInput>

const addedField = fieldInput.extend({
  /** Zero-based; defaults to the last position. */
  position: z.number().int().min(0).optional(),
  /**
   * For a relation: also adds a field to the linked collection that shows the records from the other side. Its label
   * defaults to that of this collection, with that of the relation if it is taken.
   */
  reverse: z.strictObject({ label: z.string().trim().min(1).max(120).optional() }).optional(),
})

export type AddedField = z.infer<typeof addedField>

const fieldChange = z.strictObject({
  name: z.string().max(63).optional(),
  label: z.string().trim().min(1).max(120).optional(),
  /** null or empty removes the description. */
  description: fieldDescription.nullable().optional(),
  kind: z.enum(FIELD_KINDS).optional(),
  required: z.boolean().optional(),
  unique: z.boolean().optional(),
  default: z.unknown().optional(),
  /** null or an empty text removes the formula. */
  defaultFormula: z.string().max(MAX_FORMULA_LENGTH).nullable().optional(),
  options: optionsInput.optional(),
  /** Zero-based. */
  position: z.number().int().min(0).optional(),
  acceptLoss: z.boolean().optional(),
})

export type FieldChange = z.infer<typeof fieldChange>

const collectionParams = z.object({ collection: z.string() })
const fieldParams = z.object({ collection: z.string(), field: z.string() })

export const listCollections = endpoint({
  method: 'GET',
  path: '/api/collections',
  summary: 'List the collections you can access, in sidebar order.',
  response: z.object({ items: z.array(collectionBody) }),
})

export const createCollection = endpoint({
  method: 'POST',
  path: '/api/collections',
  summary: 'Create a collection. Without `fields`, it starts with the fields Title, Notes and Files.',
  body: z.strictObject({
    name: z.string().max(63).optional(),
    label: z.string().trim().min(1).max(120),
    description: collectionDescription.optional(),
    icon: z.enum(COLLECTION_ICONS).optional(),
    color: z.enum(OPTION_COLORS).optional(),
    group: groupName.optional(),
    fields: z.array(fieldInput).max(500).optional(),
    titleField: z.string().nullable().optional(),
    rules: rulesInput.optional(),
  }),
  response: collectionBody,
  status: 201,
  problems: ['definition-invalid', 'name-taken'],
})

export const readCollection = endpoint({
  method: 'GET',
  path: '/api/collections/:collection',
  summary: 'Get a collection by name or ID.',
  params: collectionParams,
  response: collectionBody,
  problems: ['collection-not-found'],
})

export const changeCollection = endpoint({
  method: 'PATCH',
  path: '/api/collections/:collection',
  summary:
    'Update a collection: name, description, icon, color, sidebar position, primary field, workflow, rules and record layout.',
  params: collectionParams,
  body: z.strictObject({
    name: z.string().max(63).optional(),
    label: z.string().trim().min(1).max(120).optional(),
    /** null or empty removes the description. */
    description: collectionDescription.nullable().optional(),
    titleField: z.string().nullable().optional(),
    /** null restores the default folder icon. */
    icon: z.enum(COLLECTION_ICONS).nullable().optional(),
    color: z.enum(OPTION_COLORS).nullable().optional(),
    /** null removes the group. A collection added to a group goes last unless `position` is set. */
    group: groupName.nullable().optional(),
    workflow: workflowInput.nullable().optional(),
    rules: rulesInput.optional(),
    /** null restores the default arrangement. */
    layout: layoutInput.nullable().optional(),
    position: z.number().int().min(0).optional(),
  }),
  /** `broken` is the number of records that violate each new or changed rule. */
  response: collectionBody.extend({ broken: z.array(brokenBody).optional() }),
  problems: ['collection-not-found', 'definition-invalid', 'name-taken', 'in-use', 'example-broken'],
})

/** Allows one group per collection, even in a large workspace. */
const MAX_GROUPS = 1000

export const arrangeCollections = endpoint({
  method: 'PUT',
  path: '/api/sidebar',
  summary:
    'Replace the sidebar order: its groups and their collections, top to bottom, by ID. Collections that are not listed stay in their group.',
  body: z.strictObject({
    groups: z
      .array(
        z.strictObject({
          name: groupName.nullable(),
          collections: z.array(z.string()).max(MAX_GROUPS),
        }),
      )
      .max(MAX_GROUPS),
  }),
  response: 'empty',
  problems: ['definition-invalid'],
})

export const deleteCollection = endpoint({
  method: 'DELETE',
  path: '/api/collections/:collection',
  summary: 'Delete a collection and its records.',
  params: collectionParams,
  response: 'empty',
  problems: ['collection-not-found', 'definition-invalid', 'change-running', 'in-use', 'example-broken'],
})

export const addField = endpoint({
  method: 'POST',
  path: '/api/collections/:collection/fields',
  summary: 'Add a field. With `reverse`, a relation is also shown in the linked collection.',
  params: collectionParams,
  body: addedField,
  response: collectionBody,
  status: 201,
  problems: ['collection-not-found', 'definition-invalid', 'name-taken', 'change-running'],
})

export const changeField = endpoint({
  method: 'PATCH',
  path: '/api/collections/:collection/fields/:field',
  summary:
    'Update a field. If changing the field type would lose values, the request fails and lists them unless `acceptLoss` is set. For more than 10,000 records, it returns 202 with a job; the type changes when the job is done.',
  params: fieldParams,
  body: fieldChange,
  response: z.union([collectionBody, z.object({ job: z.string() })]),
  contentTypes: { 202: 'application/json' },
  problems: [
    'collection-not-found',
    'not-found',
    'definition-invalid',
    'name-taken',
    'in-use',
    'example-broken',
    'change-running',
  ],
})

export const previewFormula = endpoint({
  method: 'POST',
  path: '/api/collections/:collection/formula-preview',
  summary: 'Check a formula without saving it, and calculate its value in the first record.',
  params: collectionParams,
  body: z.strictObject({
    formula: z.string().max(MAX_FORMULA_LENGTH),
    /** Name or ID of the field that has the formula; absent for a new one. */
    field: z.string().max(63).optional(),
  }),
  response: z.object({
    /** Field type of the value. */
    result: z.enum(FORMULA_RESULTS),
    value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
    /** Whether there is a record that you can read. */
    hasRecord: z.boolean(),
  }),
  problems: ['collection-not-found', 'definition-invalid', 'in-use'],
})

export const removeField = endpoint({
  method: 'DELETE',
  path: '/api/collections/:collection/fields/:field',
  summary: 'Delete a field and its values.',
  params: fieldParams,
  response: collectionBody,
  problems: ['collection-not-found', 'not-found', 'in-use', 'example-broken', 'change-running'],
})
