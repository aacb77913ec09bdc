import { z } from 'zod'
import { type Filter, OPERATORS } from '#domain/query/filter/filter.ts'
import { MAX_FILTER_VALUES } from '#domain/query/query-limits.ts'

const literal = z.union([z.string(), z.number(), z.boolean(), z.strictObject({ marker: z.string().max(100) })])

/** A field by its name or id, or a path through relations. */
const path = z.string().min(1).max(300)

const comparison = z.strictObject({
  field: path,
  op: z.enum(OPERATORS),
  value: z.union([literal, z.array(literal).max(MAX_FILTER_VALUES), z.strictObject({ field: path })]).optional(),
})

/** A filter in a body, as a tree; how deep and wide it may be is judged where it is checked. */
export const filterTree: z.ZodType<Filter> = z.union([
  z.strictObject({ all: z.array(z.lazy(() => filterTree)).max(200) }),
  z.strictObject({ any: z.array(z.lazy(() => filterTree)).max(200) }),
  // A value that is left out and one that is undefined are the same in JSON.
  comparison as unknown as z.ZodType<Filter>,
])

/** Levels of objects and lists in a filter: far more than its own limit needs, far fewer than our stacks bear. */
const MAX_LEVELS = 60

const isWithinLevels = (value: unknown, left = MAX_LEVELS): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (left > 0 && Object.values(value).every((part) => isWithinLevels(part, left - 1)))

/** A filter in a body, as a tree or as the text people write. The tree is only looked into when it is not too deep for that. */
export const filterInput = z.union([
  z.string().max(20_000),
  z
    .unknown()
    .refine((tree) => isWithinLevels(tree), 'Too deeply nested.')
    .pipe(filterTree),
])
