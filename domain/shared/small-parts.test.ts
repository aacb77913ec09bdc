import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fingerprint } from '#domain/query/list/records-query.ts'
import { type Json, sameJson } from './json.ts'
import { nearestWord } from '../query/filter/did-you-mean.ts'
import { dayIn, findTimeZone, shiftDay, startOfDay } from './time.ts'

describe('JSON values', () => {
  test('equal their copies, regardless of key order', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // fast-check's JSON type is equivalent to ours.
        const json = value as Json
        expect(sameJson(json, JSON.parse(JSON.stringify(json)))).toBe(true)
      }),
    )
    expect(sameJson({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true)
    expect(sameJson({ a: 1 }, { a: 1, b: null })).toBe(false)
    expect(sameJson([1, 2], [2, 1])).toBe(false)
    expect(sameJson({ a: 1 }, { b: 1 })).toBe(false)
    expect(sameJson([], {})).toBe(false)
  })
})

describe('a suggestion', () => {
  test('is the closest word if that is similar enough', () => {
    const words = ['title', 'amount', 'createdAt', 'dueOn']
    expect(nearestWord('titel', words)).toBe('title')
    expect(nearestWord('TITLE', words)).toBe('title')
    expect(nearestWord('created_at', words)).toBe('createdAt')
    expect(nearestWord('colour', words)).toBeUndefined()
    expect(nearestWord('', words)).toBeUndefined()
  })
})

describe('days in a time zone', () => {
  const zones = fc.constantFrom(
    'UTC',
    'Europe/Vienna',
    'America/Santiago',
    'Asia/Kathmandu',
    'Pacific/Apia',
    'America/St_Johns',
  )
  const instants = fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })

  test('start at or before each of their instants, exactly when the previous day ends', () => {
    fc.assert(
      fc.property(zones, instants, (zone, instant) => {
        const day = dayIn(zone, instant)
        const start = startOfDay(zone, day)
        expect(start.getTime()).toBeLessThanOrEqual(instant.getTime())
        expect(dayIn(zone, start)).toBe(day)
        expect(dayIn(zone, new Date(start.getTime() - 1000)) < day).toBe(true)
      }),
    )
  })

  test('shifted by months are clamped to the last day of shorter months', () => {
    expect(shiftDay('2026-03-31', -1, 'months')).toBe('2026-02-28')
    expect(shiftDay('2024-02-29', 1, 'years')).toBe('2025-02-28')
    expect(shiftDay('2026-12-31', 2, 'months')).toBe('2027-02-28')
    expect(shiftDay('0001-01-01', -1, 'days')).toBeUndefined()
    expect(shiftDay('9999-12-31', 1, 'days')).toBeUndefined()
  })

  test('require a known time zone', () => {
    for (const name of ['Asia/Calcutta', 'Asia/Kolkata', 'UTC']) expect(findTimeZone(name)).toBeDefined()
    expect(findTimeZone('eUROPE/vienna')).toBe('Europe/Vienna')
    for (const name of ['Middle/Earth', '+02:00', '', 'Europe/Vienna, UTC', 'x'.repeat(5_000)])
      expect(findTimeZone(name)).toBeUndefined()
  })
})

describe('a fingerprint', () => {
  test('is equal for equal texts and different for different ones', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(fingerprint(one) === fingerprint(other)).toBe(one === other)
      }),
    )
    expect(fingerprint('a')).toMatch(/^[0-9a-z]{1,20}$/)
  })
})
