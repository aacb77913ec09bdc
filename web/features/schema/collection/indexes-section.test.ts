import { describe, expect, test } from 'vitest'
import { typedCollection } from '#web/shared/fields/typed-collection.ts'
import { describeIndex } from '#web/features/schema/collection/indexes-section.tsx'

const field = (name: string, label: string) => ({
  id: name,
  name,
  label,
  kind: 'text' as const,
  required: false,
  unique: false,
  default: null,
  options: {},
})

const collection = typedCollection({
  id: 'c',
  name: 'deals',
  label: 'Deals',
  fields: [field('status', 'Status'), field('amount', 'Amount'), field('owner', 'Owner')],
  titleField: null,
  version: 1,
  timeZone: 'UTC',
  can: [],
})

const nothing = { finds: [], sorts: [], groups: [], reads: [] }

describe('the description of an index', () => {
  test.each([
    [{ sorts: ['-amount'] }, 'Sorted by Amount (descending)'],
    [{ sorts: ['status', 'createdAt'] }, 'Sorted by Status and Created'],
    [{ finds: ['status', 'amount'], sorts: ['owner'] }, 'Filtered by Status and Amount, sorted by Owner'],
    [{ groups: ['status'], reads: ['amount'] }, 'Grouped by Status, with Amount'],
    [{ finds: ['updatedBy'] }, 'Filtered by Last edited by'],
  ])('%o is “%s”', (part, words) => {
    expect(describeIndex({ ...nothing, ...part }, collection)).toBe(words)
  })
})
