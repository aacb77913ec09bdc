import { expect, test } from 'vitest'
import { isShownInline, previewOf, servedType, usesThumbnail } from './preview.ts'

const seen = (type: string, name = 'a', size: readonly [number, number] | null = null) => ({
  name,
  type,
  width: size?.[0] ?? null,
  height: size?.[1] ?? null,
})

test('selects the viewer by the detected content type', () => {
  expect(previewOf(seen('image/jpeg', 'a.jpg', [30, 20]))).toBe('picture')
  expect(previewOf(seen('image/svg+xml'))).toBe('picture')
  expect(previewOf(seen('application/pdf'))).toBe('pdf')
  expect(previewOf(seen('audio/mpeg'))).toBe('audio')
  expect(previewOf(seen('video/mp4'))).toBe('video')
  for (const type of ['text/plain', 'text/csv', 'text/html', 'application/json'])
    expect(previewOf(seen(type))).toBe('text')
  for (const type of ['application/zip', 'application/octet-stream', 'application/msword']) {
    expect(previewOf(seen(type))).toBe('none')
  }
})

test('previews files in legacy text encodings based on their extension', () => {
  expect(previewOf(seen('application/octet-stream', 'prices.CSV'))).toBe('text')
  expect(previewOf(seen('application/octet-stream', 'prices.bin'))).toBe('none')
})

test('doesn’t preview an image without dimensions', () => {
  expect(previewOf(seen('image/png', 'plan.png'))).toBe('none')
})

test('shows a thumbnail for images that are too large or that browsers can’t display', () => {
  expect(usesThumbnail(seen('image/jpeg', 'a', [8160, 6120]))).toBe(true)
  expect(usesThumbnail(seen('image/heic', 'a', [300, 200]))).toBe(true)
  expect(usesThumbnail(seen('image/jpeg', 'a', [4032, 3024]))).toBe(false)
  expect(usesThumbnail(seen('image/svg+xml'))).toBe(false)
})

test('serves content types that can run scripts as plain text', () => {
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

test('serves every other content type unchanged, and text with its charset', () => {
  expect(servedType('image/png')).toBe('image/png')
  expect(servedType('image/svg+xml')).toBe('image/svg+xml')
  expect(servedType('application/json')).toBe('application/json')
  expect(servedType('text/csv')).toBe('text/csv; charset=utf-8')
})

test('never displays a file inline if its content type can run scripts', () => {
  for (const type of ['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/xml', 'application/octet-stream']) {
    expect([type, isShownInline(type)]).toEqual([type, false])
  }
  expect(isShownInline('application/pdf')).toBe(true)
})
