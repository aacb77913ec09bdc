import { describe, expect, test } from 'vitest'
import { createTimeZoneHeader } from './call.ts'

describe('the browser time zone', () => {
  test('is sent with each request', () => {
    let zone: string | undefined = 'Europe/Vienna'
    const calendar = createTimeZoneHeader(() => zone)
    expect(calendar.headers()).toEqual({ 'time-zone': 'Europe/Vienna' })
    zone = 'Asia/Tokyo'
    expect(calendar.headers()).toEqual({ 'time-zone': 'Asia/Tokyo' })
  })

  test('is omitted if the system reports none', () => {
    for (const zone of [undefined, '', 'Etc/Unknown']) expect(createTimeZoneHeader(() => zone).headers()).toEqual({})
  })

  test('is omitted after the server rejects it, until it changes', () => {
    let zone = 'America/Coyhaique'
    const calendar = createTimeZoneHeader(() => zone)
    expect(calendar.giveUp()).toBe(true)
    expect(calendar.headers()).toEqual({})
    expect(calendar.giveUp()).toBe(false)
    zone = 'America/Santiago'
    expect(calendar.headers()).toEqual({ 'time-zone': 'America/Santiago' })
  })
})
