import { z } from 'zod'
import { OPTION_COLORS } from '#domain/fields/field.ts'
import { AGGREGATES, GROUP_INTERVALS } from '#domain/query/list/aggregates.ts'
import { MAX_SEARCH_LENGTH } from '#domain/query/query-limits.ts'
import { TABLE } from '#domain/specification.ts'
import { CARD_FIELD_COUNTS, CARD_SIZES, COVER_FITS } from '#domain/views/cards.ts'
import { CHART_ORDERS, CHART_STACKINGS, CHART_TYPES } from '#domain/views/chart.ts'
import { CALENDAR_PERIODS } from '#domain/views/dates/periods.ts'
import { TIMELINE_ZOOMS } from '#domain/views/dates/timeline-scale.ts'
import { DEFAULT_DISPLAY } from '#domain/views/view-kinds.ts'
import { MAX_COLOR_RULES, MAX_VIEW_NAME, VIEW_DENSITIES } from '#domain/views/view.ts'
import { personBody } from './records.ts'
import { endpoint } from './endpoint.ts'
import { filterInput } from './filters.ts'

const MAX_KEYS_LENGTH = 2_000
/** Fields of a collection, including system fields. */
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

/** Same text format as the query parameters of a record list. */
const queryBody = z.object({ filter: z.string(), search: z.string(), sort: z.string(), group: z.string() })

const queryInput = z.strictObject({
  filter: filterInput.default(''),
  search: z.string().max(MAX_SEARCH_LENGTH).default(''),
  sort: z.string().max(MAX_KEYS_LENGTH).default(''),
  /** For example `status,-owner`. */
  group: z.string().max(MAX_KEYS_LENGTH).default(''),
})

const dateFields = {
  /** Date field; null: none is chosen. */
  start: z.string().max(120).nullable().default(null),
  /** Date field of the same kind. */
  end: z.string().max(120).nullable().default(null),
}

/** View type and its display options. */
const display = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('grid'), options: z.strictObject({}).prefault({}) }),
  z.strictObject({
    kind: z.literal('cards'),
    options: z
      .strictObject({
        fieldCount: z.literal(CARD_FIELD_COUNTS).default(4),
        /** File field whose first image is shown. */
        cover: z.string().max(120).nullable().default(null),
        /** Whether the cover is cropped to fill its area, or shown as a whole. */
        fit: z.enum(COVER_FITS).default('crop'),
        /** `row`: one card per row. */
        size: z.enum(CARD_SIZES).default('row'),
      })
      .prefault({}),
  }),
  z.strictObject({
    kind: z.literal('list'),
    options: z.strictObject({ fieldCount: z.literal(CARD_FIELD_COUNTS).default(2) }).prefault({}),
  }),
  z.strictObject({
    kind: z.literal('board'),
    options: z
      .strictObject({
        /** Status, select, person, relation or checkbox field whose values are the columns; it can have several values. */
        by: z.string().max(120).nullable().default(null),
        fieldCount: z.literal(CARD_FIELD_COUNTS).default(4),
        cover: z.string().max(120).nullable().default(null),
      })
      .prefault({}),
  }),
  z.strictObject({
    kind: z.literal('calendar'),
    options: z.strictObject({ ...dateFields, period: z.enum(CALENDAR_PERIODS).default('month') }).prefault({}),
  }),
  z.strictObject({
    kind: z.literal('timeline'),
    options: z.strictObject({ ...dateFields, zoom: z.enum(TIMELINE_ZOOMS).default('month') }).prefault({}),
  }),
  z.strictObject({
    kind: z.literal('chart'),
    options: z
      .strictObject({
        type: z.enum(CHART_TYPES).default('bar'),
        /** Field of the groups; null for a single figure. */
        by: z.string().max(120).nullable().default(null),
        interval: z.enum(GROUP_INTERVALS).default('month'),
        /** Field of the series, or of the columns of a pivot table. */
        splitBy: z.string().max(120).nullable().default(null),
        splitInterval: z.enum(GROUP_INTERVALS).default('month'),
        aggregate: z.enum(AGGREGATES).default('count'),
        /** Number field of the summary; null for a count. */
        measured: z.string().max(120).nullable().default(null),
        stacking: z.enum(CHART_STACKINGS).default('stacked'),
        order: z.enum(CHART_ORDERS).default('group'),
      })
      .prefault({}),
  }),
])

/** Layout by field name; fields missing from `order` come last. */
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
  /** Aggregate function of the column: `sum`, `average`, … */
  footers: byField(z.string().max(30)).default({}),
})

const lookBody = z.object({
  density,
  areFiltersShown: z.boolean(),
  isWrapped: z.boolean(),
  /** A null `field` colors the whole row. */
  colors: z.array(z.object({ filter: z.string(), color, field: z.string().nullable() })),
})

const lookInput = z.strictObject({
  density: density.default('normal'),
  areFiltersShown: z.boolean().default(false),
  isWrapped: z.boolean().default(false),
  /** The first matching rule determines the color. */
  colors: z
    .array(z.strictObject({ filter: filterInput, color, field: z.string().max(120).nullable().default(null) }))
    .max(MAX_COLOR_RULES)
    .default([]),
})

/** Uses current field names and omits hidden fields. */
export const viewBody = z.object({
  id: z.string(),
  name: z.string(),
  /** If true, visible to everyone who can read the collection; otherwise private to the owner. */
  isShared: z.boolean(),
  isLocked: z.boolean(),
  isDefault: z.boolean(),
  owner: personBody,
  query: queryBody,
  display,
  layout: layoutBody,
  look: lookBody,
  pageSize,
  /** False if the view's filter uses fields that the actor can't read, in which case the filter is omitted. */
  isUsable: z.boolean(),
  /** View settings omitted because they refer to a deleted field or option. */
  fellAway: z.array(z.enum(['filter', 'sort', 'group', 'colors', 'display'])),
  mayChange: z.boolean(),
  mayLock: z.boolean(),
  mayShare: z.boolean(),
  version: z.number(),
})

export type ViewBody = z.infer<typeof viewBody>

const name = z.string().trim().min(1).max(MAX_VIEW_NAME)

export const viewInput = z.strictObject({
  name,
  isShared: z.boolean().default(false),
  isLocked: z.boolean().default(false),
  query: queryInput.prefault({}),
  display: display.default(DEFAULT_DISPLAY),
  layout: layoutInput.prefault({}),
  look: lookInput.prefault({}),
  pageSize: pageSize.default(TABLE.defaultPageSize),
})

export type ViewInput = z.infer<typeof viewInput>

const viewChange = z.strictObject({
  name: name.optional(),
  isShared: z.boolean().optional(),
  isLocked: z.boolean().optional(),
  /** Each of these settings, if provided, replaces the stored setting entirely. */
  query: queryInput.optional(),
  display: display.optional(),
  layout: layoutInput.optional(),
  look: lookInput.optional(),
  pageSize: pageSize.optional(),
  /**
   * ID of the view to insert before, in the same section; null: move to the end. An ID is used because an index could
   * be based on an outdated order.
   */
  before: z.string().nullable().optional(),
  isDefault: z.boolean().optional(),
  version: z.int().optional(),
})

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

const viewName = z.object({ id: z.string(), collection: z.string(), name: z.string() })

export type ViewNameBody = z.infer<typeof viewName>

export const listViewNames = endpoint({
  method: 'GET',
  path: '/api/views',
  summary: 'List the names of all saved views that you can see, in all collections.',
  response: z.object({ items: z.array(viewName) }),
})

export const createView = endpoint({
  method: 'POST',
  path: '/api/collections/:collection/views',
  summary: 'Create a view. It is private unless `isShared` is set, which requires `views:share`.',
  params: viewsParams,
  body: viewInput,
  response: viewBody,
  status: 201,
  problems: [...PROBLEMS, 'invalid-search'],
})

export const changeView = endpoint({
  method: 'PATCH',
  path: '/api/collections/:collection/views/:view',
  summary: 'Update a view. If `version` is stale, returns 409 with the current view.',
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

export const moveRecordInView = endpoint({
  method: 'POST',
  path: '/api/collections/:collection/views/:view/order',
  summary:
    'Move a record before or after another one in the manual order of a view. Lists are sorted by it with `sort=@manual:<view ID>`.',
  params: viewParams,
  body: z.strictObject({
    record: z.string(),
    place: z.enum(['before', 'after']),
    /** ID of the other record. */
    neighbor: z.string(),
  }),
  response: 'empty',
  problems: ['collection-not-found', 'not-found', 'record-not-found'],
})

export type RecordMove = z.infer<typeof moveRecordInView.body>
