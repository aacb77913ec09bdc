import { describe, expect, test } from 'vitest'
import { createTimeZoneHeader } from './call.ts'

describe('the calendar of this browser', () => {
  test('is named anew with each request', () => {
    let zone: string | undefined = 'Europe/Vienna'
    const calendar = createTimeZoneHeader(() => zone)
    expect(calendar.headers()).toEqual({ 'time-zone': 'Europe/Vienna' })
    zone = 'Asia/Tokyo'
    expect(calendar.headers()).toEqual({ 'time-zone': 'Asia/Tokyo' })
  })

  test('is not named where the machine does not know it', () => {
    for (const zone of [undefined, '', 'Etc/Unknown']) expect(createTimeZoneHeader(() => zone).headers()).toEqual({})
  })

  test('is named no more once the server refused it, until it is another', () => {
    let zone = 'America/Coyhaique'
    const calendar = createTimeZoneHeader(() => zone)
    expect(calendar.giveUp()).toBe(true)
    expect(calendar.headers()).toEqual({})
    expect(calendar.giveUp()).toBe(false)
    zone = 'America/Santiago'
    expect(calendar.headers()).toEqual({ 'time-zone': 'America/Santiago' })
  })
})
