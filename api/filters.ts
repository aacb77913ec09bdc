import { z } from 'zod'
import { type Filter, OPERATORS } from '#domain/query/filter/filter.ts'
import { MAX_FORMULA_LENGTH } from '#domain/formulas/formula-limits.ts'
import { MAX_FILTER_VALUES } from '#domain/query/query-limits.ts'

const literal = z.union([z.string(), z.number(), z.boolean(), z.strictObject({ marker: z.string().max(100) })])

/** Field name, field ID, or path through relations. */
const path = z.string().min(1).max(300)

const comparison = z.strictObject({
  field: path,
  op: z.enum(OPERATORS),
  value: z.union([literal, z.array(literal).max(MAX_FILTER_VALUES), z.strictObject({ field: path })]).optional(),
})

/** `checkFilter` limits depth and size. */
export const filterTree: z.ZodType<Filter> = z.union([
  z.strictObject({ all: z.array(z.lazy(() => filterTree)).max(200) }),
  z.strictObject({ any: z.array(z.lazy(() => filterTree)).max(200) }),
  z.strictObject({ formula: z.string().min(1).max(MAX_FORMULA_LENGTH) }),
  // JSON does not distinguish absent from undefined.
  comparison as unknown as z.ZodType<Filter>,
])

/** Maximum JSON nesting depth of a filter: far deeper than valid filters, but too shallow for a stack overflow. */
const MAX_LEVELS = 60

const isWithinLevels = (value: unknown, left = MAX_LEVELS): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (left > 0 && Object.values(value).every((part) => isWithinLevels(part, left - 1)))

/** Filter tree or filter text. Depth is checked first, because validating the schema recurses. */
export const filterInput = z.union([
  z.string().max(20_000),
  z
    .unknown()
    .refine((tree) => isWithinLevels(tree), 'Too deeply nested.')
    .pipe(filterTree),
])
