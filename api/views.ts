import { z } from 'zod'
import { OPTION_COLORS } from '#domain/fields/field.ts'
import { MAX_SEARCH_LENGTH } from '#domain/query/query-limits.ts'
import { TABLE } from '#domain/specification.ts'
import { MAX_COLOR_RULES, MAX_VIEW_NAME, VIEW_DENSITIES } from '#domain/views/view.ts'
import { personBody } from './records.ts'
import { endpoint } from './endpoint.ts'
import { filterInput } from './filters.ts'

/** Longest text of a sort or of a grouping. */
const MAX_KEYS_LENGTH = 2_000
/** As many fields as a collection has, and those every record has. */
const MAX_LAID_OUT = 505
const WIDTH_PX = { min: 20, max: 5_000 } as const

const pageSize = z.union([z.enum(['all']), z.literal(TABLE.pageSizes.filter((size) => size !== 'all'))])
const density = z.enum(VIEW_DENSITIES)
const color = z.enum(OPTION_COLORS)

const fieldNames = z.array(z.string().max(120)).max(MAX_LAID_OUT)
const byField = <Value extends z.ZodType>(value: Value) =>
  z
    .record(z.string().max(120), value)
    .refine((fields) => Object.keys(fields).length <= MAX_LAID_OUT, `Contains more than ${MAX_LAID_OUT} fields.`)

/** What a view asks, by names: the same texts as a list takes. */
const queryBody = z.object({ filter: z.string(), search: z.string(), sort: z.string(), group: z.string() })

const queryInput = z.strictObject({
  filter: filterInput.default(''),
  search: z.string().max(MAX_SEARCH_LENGTH).default(''),
  sort: z.string().max(MAX_KEYS_LENGTH).default(''),
  /** `status`, `status,-owner` */
  group: z.string().max(MAX_KEYS_LENGTH).default(''),
})

/** How the fields are laid out, by names; those that `order` does not name follow. */
const layoutBody = z.object({
  order: z.array(z.string()),
  hidden: z.array(z.string()),
  frozen: z.array(z.string()),
  widthsPx: z.record(z.string(), z.number()),
  footers: z.record(z.string(), z.string()),
})

const layoutInput = z.strictObject({
  order: fieldNames.default([]),
  hidden: fieldNames.default([]),
  frozen: fieldNames.default([]),
  widthsPx: byField(z.number().min(WIDTH_PX.min).max(WIDTH_PX.max)).default({}),
  /** The summary below a field: `sum`, `average`, … */
  footers: byField(z.string().max(30)).default({}),
})

const lookBody = z.object({
  density,
  areFiltersShown: z.boolean(),
  isWrapped: z.boolean(),
  /** `field` is null where the whole line wears the colour. */
  colors: z.array(z.object({ filter: z.string(), color, field: z.string().nullable() })),
})

const lookInput = z.strictObject({
  density: density.default('normal'),
  areFiltersShown: z.boolean().default(false),
  isWrapped: z.boolean().default(false),
  /** Records that match a filter are colored, as a whole or in one field; the first match decides. */
  colors: z
    .array(z.strictObject({ filter: filterInput, color, field: z.string().max(120).nullable().default(null) }))
    .max(MAX_COLOR_RULES)
    .default([]),
})

/** A saved view as one actor sees it: fields and choices by the names they have now, without those out of sight. */
export const viewBody = z.object({
  id: z.string(),
  name: z.string(),
  /** Visible to everyone who may read the collection; otherwise private to its owner. */
  isShared: z.boolean(),
  isLocked: z.boolean(),
  /** Opens first for this actor. */
  isDefault: z.boolean(),
  owner: personBody,
  query: queryBody,
  layout: layoutBody,
  look: lookBody,
  pageSize,
  /** False: its filter uses something this actor cannot read, so it is hidden. */
  isUsable: z.boolean(),
  /** Parts left out because a field or option was deleted. */
  fellAway: z.array(z.enum(['filter', 'sort', 'group', 'colors'])),
  mayChange: z.boolean(),
  mayLock: z.boolean(),
  mayShare: z.boolean(),
  version: z.number(),
})

/** The parsed form. */
export type ViewBody = z.infer<typeof viewBody>

const name = z.string().trim().min(1).max(MAX_VIEW_NAME)

/** A view as it is asked for. */
export const viewInput = z.strictObject({
  name,
  isShared: z.boolean().default(false),
  isLocked: z.boolean().default(false),
  query: queryInput.prefault({}),
  layout: layoutInput.prefault({}),
  look: lookInput.prefault({}),
  pageSize: pageSize.default(TABLE.defaultPageSize),
})

/** The parsed form. */
export type ViewInput = z.infer<typeof viewInput>

const viewChange = z.strictObject({
  name: name.optional(),
  isShared: z.boolean().optional(),
  isLocked: z.boolean().optional(),
  /** Each of these parts as a whole. */
  query: queryInput.optional(),
  layout: layoutInput.optional(),
  look: lookInput.optional(),
  pageSize: pageSize.optional(),
  /**
   * The id of the one before which it comes from now on, of the shared views or of one's own; null: it comes last. A
   * number would be counted in a list that others may have changed.
   */
  before: z.string().nullable().optional(),
  /** Whether it is the caller's default view. */
  isDefault: z.boolean().optional(),
  version: z.int().optional(),
})

/** The parsed form. */
export type ViewChange = z.infer<typeof viewChange>

const PROBLEMS = [
  'collection-not-found',
  'definition-invalid',
  'invalid-filter',
  'invalid-sort',
  'invalid-group',
] as const
const viewsParams = z.object({ collection: z.string() })
const viewParams = z.object({ collection: z.string(), view: z.string() })

export const listViews = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/views',
  summary: 'List the saved views of a collection: shared views, then your own.',
  params: viewsParams,
  response: z.object({ items: z.array(viewBody) }),
  problems: ['collection-not-found'],
})

export const createView = endpoint({
  method: 'POST',
  path: '/api/collections/:collection/views',
  summary: 'Create a view. It is private unless `isShared`, which requires `views:share`.',
  params: viewsParams,
  body: viewInput,
  response: viewBody,
  status: 201,
  problems: [...PROBLEMS, 'invalid-search'],
})

export const changeView = endpoint({
  method: 'PATCH',
  path: '/api/collections/:collection/views/:view',
  summary: 'Update a view. A stale `version` fails with 409 and the current view.',
  params: viewParams,
  body: viewChange,
  response: viewBody,
  problems: [...PROBLEMS, 'invalid-search', 'not-found', 'version-conflict'],
})

export const deleteView = endpoint({
  method: 'DELETE',
  path: '/api/collections/:collection/views/:view',
  summary: 'Delete a view.',
  params: viewParams,
  response: 'empty',
  problems: ['collection-not-found', 'not-found'],
})
