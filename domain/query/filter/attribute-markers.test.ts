import { describe, expect, test } from 'vitest'
import type { Profile } from '#domain/access/actor.ts'
import { contextFor } from '#tests/conformance/query/data/generated-queries.ts'
import { checkFilter, checkStoredFilter } from '../check/check-filter.ts'
import { NO_RECORDS } from '../check/checked-filter.ts'
import { parseFilter } from './parse-filter.ts'
import { printFilter } from './print-filter.ts'

const PROFILE: Profile = { email: 'ada@example.org', name: 'Ada', region: ['North', 'South'], team: [] }

const check = (filter: string, profile: Profile | undefined = PROFILE) =>
  checkFilter(filter, { ...contextFor(), profile })

const testOf = (filter: string, profile?: Profile) => {
  const checked = check(filter, profile)
  return checked.ok && 'test' in checked.value ? checked.value.test : checked
}

const refusal = (filter: string) => {
  const checked = check(filter)
  return checked.ok ? 'accepted' : checked.fault.message
}

describe('a user attribute in a filter', () => {
  test('is parsed and printed unchanged', () => {
    const parsed = parseFilter('title = @me.region || title in (@me.team, "x")')
    expect(parsed.ok && printFilter(parsed.value.filter)).toBe('title = @me.region || title in (@me.team, "x")')
    expect(parsed.ok && parsed.value.filter).toMatchObject({
      any: [{ value: { marker: '@me.region' } }, { value: [{ marker: '@me.team' }, 'x'] }],
    })
  })

  test('matches any of its values', () => {
    expect(testOf('title = @me.region')).toEqual({ is: 'oneOf', values: ['North', 'South'] })
    expect(testOf('title in (@me.region, "West")')).toEqual({ is: 'oneOf', values: ['North', 'South', 'West'] })
    expect(testOf('title = @me.email')).toEqual({ is: 'oneOf', values: ['ada@example.org'] })
    expect(check('title != @me.region')).toMatchObject({ ok: true, value: { isNegated: true } })
  })

  test('matches nothing if it is empty or there is no user', () => {
    expect(testOf('title = @me.team')).toEqual({ is: 'oneOf', values: [] })
    const nobody = checkFilter('title = @me.whatever', contextFor())
    expect(nobody).toMatchObject({ ok: true, value: { test: { values: [] } } })
  })

  test('matches nothing if its value isn’t an existing option, record or user', () => {
    expect(testOf('genre = @me.region')).toEqual({ is: 'oneOf', values: [] })
    expect(testOf('author = @me.region')).toEqual({ is: 'oneOf', values: [] })
  })

  test('with an unknown name is rejected, listing the known ones', () => {
    expect(refusal('title = @me.regoin')).toContain('Did you mean “region”?')
    expect(refusal('title = @me.toString')).toContain('@me.team')
  })

  test('is rejected for other operators and field kinds', () => {
    expect(refusal('title ~ @me.region')).toContain('“title”: @me.region can only be used with =, != and in.')
    expect(refusal('title between @me.region and "x"')).toContain(
      '“title”: @me.region can only be used with =, != and in.',
    )
    expect(refusal('price = @me.region')).toContain('is text')
  })

  test('that was deleted makes stored conditions match nothing', () => {
    const context = { ...contextFor(), profile: PROFILE }
    expect(checkStoredFilter({ field: 'title', op: '!=', value: { marker: '@me.gone' } }, context)).toEqual(NO_RECORDS)
  })
})
