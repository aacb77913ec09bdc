import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { Field } from '#domain/fields/field.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { parseFilter } from '#domain/query/filter/parse-filter.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { filterContext, filterErrorIn } from '#web/shared/conditions/condition-options.ts'
import { ConditionBuilder, type ConditionBuilderProps } from './condition-builder.tsx'

const about = (name: string, label: string) => ({
  id: `id-${name}`,
  name,
  label,
  required: false,
  unique: false,
  default: null,
})
const choices = [{ id: '01m00000000000000000000001', name: 'open', color: 'blue' }] as const
const fields: readonly Field[] = [
  { ...about('title', 'Title'), kind: 'text', options: {} },
  { ...about('status', 'Status'), kind: 'select', options: { choices } },
  { ...about('due', 'Due'), kind: 'date', options: {} },
  { ...about('owner', 'Owner'), kind: 'user', options: { many: false } },
  { ...about('parent', 'Parent'), kind: 'relation', options: { collection: 'cases', many: false } },
]
const collection: TypedCollection = {
  id: 'cases',
  name: 'cases',
  label: 'Cases',
  titleField: 'title',
  version: 1,
  timeZone: 'UTC',
  can: [],
  fields,
}

function parsed(text: string): Filter {
  const filter = parseFilter(text)
  if (!filter.ok) throw new Error(filter.fault.message)
  return filter.value.filter
}

const drawn = (value: Filter | null, more: Partial<ConditionBuilderProps> = {}) =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <ConditionBuilder
          label="Which records"
          collection={collection}
          findCollection={() => collection}
          value={value}
          onChange={() => undefined}
          {...more}
        />
      </MantineProvider>
    </QueryClientProvider>,
  )

const groupsIn = (html: string): string[] =>
  [...html.matchAll(/role="group" aria-label="([^"]*)"/g)].map(([, name = '']) => name)

describe('the condition builder', () => {
  test('reports conditions that the server would reject in a grant', () => {
    const context = filterContext(collection, () => collection, [{ name: 'region', label: 'their region' }])
    expect(filterErrorIn('parent ~ "x"', context)).toBeUndefined()
    expect(filterErrorIn('parent ~ "x"', context, true)?.message).toContain('parent.name')
    expect(filterErrorIn('title != @me.region', context, true)?.message).toContain('every record')
    expect(filterErrorIn('parent.title ~ "x"', context, true)).toBeUndefined()
  })

  test("doesn't offer != with user attributes in a grant", () => {
    const offers = (filter: string, isOfGrant: boolean): boolean =>
      drawn(parsed(filter), { isOfGrant, ownNotes: [{ name: 'region', label: 'their region' }] }).includes(
        'their region',
      )
    expect([offers('title != "x"', false), offers('title != "x"', true), offers('title = "x"', true)]).toEqual([
      true,
      false,
      true,
    ])
  })

  test('labels every condition and group for screen readers', () => {
    const html = drawn(parsed('status = "open" && (due < @today-7d || parent.title ~ "x")'))
    expect(groupsIn(html)).toEqual([
      'Which records',
      'Condition on Status',
      'Group: any condition must match',
      'Condition on Due',
      'Condition on Parent › Title',
    ])
    expect(html).toContain('aria-label="Due: amount"')
    expect(html).toContain('Combine conditions with')
  })

  test('shows current names instead of IDs', () => {
    const html = drawn({ field: 'id-status', op: '=', value: choices[0].id })
    expect(groupsIn(html)).toEqual(['Which records', 'Condition on Status'])
    expect(html).toContain('value="open"')
  })

  test('can compare with a value or another field', () => {
    const beside = drawn(parsed('due >= parent.due'))
    expect(beside).toContain('aria-label="Field to compare Due with"')
    expect(beside).toContain('value="parent.due"')
    expect(beside).toContain('aria-label="Compare with a field: Due" aria-pressed="true"')
    expect(drawn(parsed('due >= @today'))).toContain('aria-label="Compare with a field: Due" aria-pressed="false"')
    expect(drawn(parsed('title ~ "x"'))).not.toContain('Compare with')
    expect(drawn(parsed('due is empty'))).not.toContain('Compare with')
  })

  test('explains an empty condition', () => {
    expect(drawn(null, { emptyText: 'Every record.' })).toContain('Every record.')
    expect(drawn(null)).toContain('Add condition')
  })

  test('an unreported first condition of a checkbox has no value', () => {
    const paid: Field = { ...about('paid', 'Paid'), kind: 'checkbox', options: {} }
    const html = drawn(null, { needsOne: true, collection: { ...collection, fields: [paid] } })
    expect(html).toContain('Paid')
    expect(html).not.toContain('value="true"')
  })

  test('shows deeply nested conditions as text', () => {
    const html = drawn(parsed('title = "a" || (title = "b" && (title = "c" || (title = "d" && title = "e")))'))
    expect(html).toContain('aria-label="Which records (as text)"')
    expect(html).toContain('title = &quot;a&quot; || (title = &quot;b&quot;')
  })

  test('shows formulas as text', () => {
    const html = drawn(parsed('title = "a" && len(title) > 3'))
    expect(html).toContain('aria-label="Which records (as text)"')
    expect(html).toContain('len(title) &gt; 3')
  })

  test('offers user attributes if there is a current user', () => {
    const value = parsed('title = @me.region')
    const requested = drawn(value, { me: 'The person', ownNotes: [{ name: 'region', label: 'Their region' }] })
    expect(requested).toContain('<option value="@me.region" selected="">Their region</option>')
    expect(drawn(parsed('title = "x"'))).not.toContain('Whose value')
  })
})
