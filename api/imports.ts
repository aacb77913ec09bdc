import { z } from 'zod'
import { FIELD_KINDS } from '#domain/fields/field.ts'
import { DAY_ORDERS } from '#domain/fields/date-text.ts'
import { DECIMALS } from '#domain/fields/number-text.ts'
import { CONFIDENCES, ENCODING_NAMES } from '#domain/imports/encodings.ts'
import { LIST_SEPARATORS } from '#domain/shared/list-text.ts'
import { findTimeZone } from '#domain/shared/time.ts'
import { fieldInput } from './collections.ts'
import { selectedRecords } from './bulk.ts'
import { endpoint } from './endpoint.ts'
import { asOf } from './records.ts'
import { templateLanguage } from './templates.ts'

const isTimeZone = (name: string): boolean => findTimeZone(name) !== undefined

/** Text format of a column. If omitted, only unambiguous values are parsed. */
const textFormat = z.strictObject({
  decimal: z
    .enum(DECIMALS)
    .optional()
    .describe('decimal separator; determines whether 1.234 is parsed as 1,234 or as a decimal number'),
  dayOrder: z.enum(DAY_ORDERS).optional().describe('order of day, month and year; determines how 3/9/2026 is parsed'),
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'Unknown time zone.')
    .optional()
    .describe('time zone (IANA) for times that don’t specify one; default: UTC'),
  separator: z.enum(LIST_SEPARATORS).optional().describe('separator between list entries'),
})

/** Detected CSV format and the kind of each column. */
export const importPreview = z.object({
  /** If `confidence` is `guess`, a user should check accented letters. */
  encoding: z.enum(ENCODING_NAMES),
  confidence: z.enum(CONFIDENCES),
  separator: z.string(),
  hasHeader: z.boolean(),
  columns: z.array(
    z.object({
      header: z.string(),
      kind: z.enum(FIELD_KINDS),
      options: z.record(z.string(), z.unknown()),
      /** Detected text format; absent where the values are ambiguous. */
      format: textFormat,
      samples: z.array(z.string()),
      emptyCount: z.number(),
      misfitCount: z.number().describe('cells that don’t match the detected kind'),
    }),
  ),
  rows: z.array(z.array(z.string())),
  rowsLookedAt: z.number(),
  isWhole: z.boolean().describe('whether the preview reached the end of the file'),
})

export type ImportPreview = z.infer<typeof importPreview>

/** `ready`: inspected but not started yet. */
export const importBody = z.object({
  id: z.string(),
  fileName: z.string(),
  bytes: z.number(),
  state: z.enum(['ready', 'running', 'done', 'failed', 'cancelled']),
  collection: z.string().nullable(),
  preview: importPreview.nullable(),
  progress: z.object({
    bytesRead: z.number(),
    rowsRead: z.number(),
    rowsStored: z.number(),
    rowsUpdated: z.number(),
    rowsRefused: z.number(),
  }),
  /** The first errors; the error file lists all of them. Row 1 is the first row after the header. */
  errors: z.array(z.object({ row: z.number(), column: z.string(), message: z.string() })),
  failure: z.string().nullable(),
  /** Creation time of the imported records, with millisecond precision; null until the import starts. */
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** Number of rows that would update or create records when matched by this key; present only if requested. */
  matches: z
    .object({
      updates: z.number(),
      creates: z.number(),
      /** Rows with a missing or ambiguous key, which are rejected. */
      unclear: z.number(),
      isWhole: z.boolean().describe('whether the row count includes all rows'),
    })
    .optional(),
})

export type ImportBody = z.infer<typeof importBody>

const importParams = z.object({ import: z.string() })

const MAX_REPLACEMENTS = 1_000

const columnReading = {
  format: textFormat.optional(),
  replace: z
    .array(z.strictObject({ from: z.string().max(1_000), to: z.string().max(1_000) }))
    .max(MAX_REPLACEMENTS)
    .optional()
    .describe('text replacements; applied to each entry of a list. An empty `to` clears the value'),
  emptyUnreadable: z.boolean().optional().describe('whether to leave a value empty if it can’t be parsed'),
}

/** Import target of a column: an existing field, a new field, the record ID, or none. */
const columnTarget = z.union([
  z.strictObject({ field: z.string(), ...columnReading }),
  z.strictObject({ newField: fieldInput, ...columnReading }),
  z.strictObject({ id: z.literal(true) }),
  z.strictObject({ skip: z.literal(true) }),
])

export type ColumnTarget = z.infer<typeof columnTarget>

/** Field, or `id`, used to match records: a row with a match updates that record, otherwise it creates one. */
const importKey = z.string().min(1).max(120)

export const uploadImport = endpoint({
  method: 'POST',
  path: '/api/imports',
  cost: 'high',
  summary: 'Upload a CSV and get a preview. Nothing is imported yet.',
  query: z.strictObject({ name: z.string().min(1).max(255) }),
  body: 'stream',
  response: importBody,
  status: 201,
  problems: ['invalid-csv', 'too-large', 'wrong-content-type', 'storage-full', 'too-many-requests'],
})

/** Import target and column mapping. */
const importPlan = z.strictObject({
  into: z.union([
    z.strictObject({ collection: z.string() }),
    z.strictObject({
      newCollection: z.strictObject({
        label: z.string().trim().min(1).max(120),
        name: z.string().max(63).optional(),
      }),
    }),
  ]),
  /** One entry per column, in order. */
  columns: z.array(columnTarget).max(500),
  hasHeader: z.boolean().optional(),
  separator: z.string().length(1).optional(),
  encoding: z.enum(ENCODING_NAMES).optional(),
  /** Index of the column used as the title field of a new collection. */
  titleColumn: z.number().int().min(0).nullable().optional(),
  onBadRow: z.enum(['stop', 'skip']).default('stop'),
  key: importKey.optional(),
})

const PLAN_PROBLEMS = [
  'import-not-ready',
  'invalid-csv',
  'collection-not-found',
  'definition-invalid',
  'name-taken',
  'change-running',
  'not-found',
  'use-transition',
] as const

export const startImport = endpoint({
  method: 'POST',
  path: '/api/imports/:import/start',
  summary:
    'Start an import into an existing or a new collection. A new collection also gets a notes field and a files field, and is deleted if the import fails.',
  params: importParams,
  body: importPlan,
  response: importBody,
  status: 202,
  problems: [...PLAN_PROBLEMS],
})

/** Rows rejected for the same reason, grouped so that they can be fixed together. */
const importIssue = z.object({
  at: z.number().nullable().describe('the column’s position; null if the whole row is rejected'),
  column: z.string(),
  /** Codes that start with `not-` mean that a value can't be parsed as the field's kind. */
  code: z.string(),
  message: z.string().describe('error message of the first affected row'),
  rowCount: z.number(),
  firstRow: z.number(),
  texts: z.array(z.object({ text: z.string(), count: z.number() })).describe('the rejected cell values, up to 1,000'),
  textCount: z.number(),
})

export type ImportIssue = z.infer<typeof importIssue>

const importCheck = z.object({
  rowsRead: z.number(),
  rowsRejected: z.number(),
  issues: z.array(importIssue),
  isWhole: z.boolean().describe('false if the check timed out; the import checks the remaining rows'),
})

export type ImportCheck = z.infer<typeof importCheck>

export const checkImport = endpoint({
  method: 'POST',
  path: '/api/imports/:import/check',
  cost: 'high',
  summary:
    'Validate all rows of an import without storing anything. Rejected rows are grouped by cause. Rules that depend on other records are only checked by the import itself.',
  params: importParams,
  body: importPlan,
  response: importCheck,
  problems: [...PLAN_PROBLEMS],
})

export const inspectImport = endpoint({
  method: 'POST',
  path: '/api/imports/:import/look',
  summary:
    'Preview the file again with another encoding, delimiter or header, and count how many records a key would match.',
  params: importParams,
  body: z.strictObject({
    encoding: z.enum(ENCODING_NAMES).optional(),
    separator: z.string().length(1).optional(),
    hasHeader: z.boolean().optional(),
    /** Key field, or `id`, and its source column. */
    key: z
      .strictObject({ collection: z.string(), field: importKey, column: z.number().int().min(0).max(499) })
      .optional(),
  }),
  response: importBody,
  problems: ['import-not-ready', 'invalid-csv', 'collection-not-found', 'not-found'],
})

export const readImport = endpoint({
  method: 'GET',
  path: '/api/imports/:import',
  summary: 'Get an import and its progress.',
  params: importParams,
  response: importBody,
  problems: ['not-found'],
})

export const cancelImport = endpoint({
  method: 'DELETE',
  path: '/api/imports/:import',
  summary: 'Cancel an import and delete the records it created. The import counts as running until they are deleted.',
  params: importParams,
  response: 'empty',
  problems: ['import-not-ready', 'not-found'],
})

export const readImportErrors = endpoint({
  method: 'GET',
  path: '/api/imports/:import/errors.csv',
  summary:
    'Download the rows with errors as CSV, each with its row number and reason, ready to be corrected and imported again.',
  params: importParams,
  response: 'raw',
  contentTypes: { 200: 'text/csv' },
  problems: ['not-found'],
})

export const importInto = endpoint({
  method: 'POST',
  path: '/api/collections/:collection/imports',
  cost: 'high',
  summary: 'Import a CSV into a collection in one request. Its header row must contain the field names or labels.',
  params: z.object({ collection: z.string() }),
  query: z.strictObject({
    name: z.string().min(1).max(255).default('import.csv'),
    onBadRow: z.enum(['stop', 'skip']).default('stop'),
    /** Detected automatically if absent. */
    separator: z.string().length(1).optional(),
    /** If omitted, files whose encoding can't be reliably detected are rejected, because no user reviews the result. */
    encoding: z.enum(ENCODING_NAMES).optional(),
    key: importKey.optional(),
  }),
  body: 'stream',
  response: importBody,
  status: 202,
  problems: [
    'collection-not-found',
    'invalid-csv',
    'too-large',
    'wrong-content-type',
    'use-transition',
    'storage-full',
    'too-many-requests',
  ],
})

export const readImportOf = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/imports/:import',
  summary: 'Get an import into this collection and its progress.',
  params: z.object({ collection: z.string(), import: z.string() }),
  response: importBody,
  problems: ['not-found'],
})

const exported = z.strictObject({
  filter: z.string().max(20_000).optional(),
  sort: z.string().max(2_000).optional(),
  search: z.string().max(500).optional(),
  /** Comma-separated field names in column order, including system fields such as `id`; defaults to all fields. */
  fields: z.string().max(20_000).optional(),
  /** Column headers: names (machine-readable) or labels (human-readable); imports accept both. */
  header: z.enum(['name', 'label']).default('name'),
  /** `yes`: prefixes values that a spreadsheet would run as formulas with an apostrophe, which imports strip. */
  escapeFormulas: z.enum(['yes', 'no']).default('yes'),
  /** `yes`: starts with a byte order mark, which some spreadsheets need to decode accented letters. */
  mark: z.enum(['yes', 'no']).default('no'),
  ...asOf,
})

export const exportRecords = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/export.csv',
  cost: 'high',
  summary:
    'Export the records that match a query as CSV, in list order. Linked records are exported by title; people, files and options by name; rich text as plain text. Records that change during the export may or may not be included, but never twice. The file can be imported again.',
  params: z.object({ collection: z.string() }),
  query: exported,
  response: 'raw',
  contentTypes: { 200: 'text/csv' },
  problems: ['collection-not-found', 'invalid-filter', 'invalid-sort', 'invalid-search'],
})

export const exportSelection = endpoint({
  method: 'POST',
  path: '/api/collections/:collection/export.csv',
  cost: 'high',
  summary:
    'Export selected records as CSV. In the body, `only` lists the matching records to include, or `except` those to leave out.',
  params: z.object({ collection: z.string() }),
  body: exported.extend({ only: selectedRecords.optional(), except: selectedRecords.optional() }),
  response: 'raw',
  contentTypes: { 200: 'text/csv' },
  problems: ['collection-not-found', 'invalid-filter', 'invalid-sort', 'invalid-search'],
})

export const sampleBody = z.object({
  state: z.enum(['none', 'running', 'done', 'failed']),
  recordsStored: z.number(),
  recordsInAll: z.number(),
  failure: z.string().nullable(),
})

export type SampleBody = z.infer<typeof sampleBody>

export const loadSample = endpoint({
  method: 'POST',
  path: '/api/sample',
  summary: 'Load the sample data into an empty workspace.',
  query: z.strictObject({ language: templateLanguage }),
  response: sampleBody,
  status: 202,
  problems: ['sample-not-empty'],
})

export const readSample = endpoint({
  method: 'GET',
  path: '/api/sample',
  summary: 'Get the progress of loading the sample data.',
  response: sampleBody,
})
