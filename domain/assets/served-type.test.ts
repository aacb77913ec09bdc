import { expect, test } from 'vitest'
import { isShownInline, servedType } from './served-type.ts'

test('what a page could run or apply is sent as text', () => {
  for (const type of [
    'text/html',
    'text/javascript',
    'text/css',
    'text/xml',
    'application/xml',
    'application/xhtml+xml',
    'application/javascript',
    'application/rss+xml',
    'application/wasm',
    'multipart/related',
  ]) {
    expect([type, servedType(type)]).toEqual([type, 'text/plain; charset=utf-8'])
  }
})

test('every other type is sent as it is, a text with its letters named', () => {
  expect(servedType('image/png')).toBe('image/png')
  expect(servedType('image/svg+xml')).toBe('image/svg+xml')
  expect(servedType('application/json')).toBe('application/json')
  expect(servedType('text/csv')).toBe('text/csv; charset=utf-8')
})

test('nothing that could run is shown by a browser itself', () => {
  for (const type of ['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/xml', 'application/octet-stream']) {
    expect([type, isShownInline(type)]).toEqual([type, false])
  }
  expect(isShownInline('application/pdf')).toBe(true)
})
