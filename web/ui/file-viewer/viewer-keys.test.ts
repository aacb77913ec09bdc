import { expect, test } from 'vitest'
import { commandOf, type ViewerKey } from './viewer-keys-and-tools.tsx'

const press = (key: string, more: Partial<ViewerKey> = {}) =>
  commandOf({ key, isHeld: false, isShift: false, on: 'nothing', isRightToLeft: false, ...more })

test('keys navigate, zoom, rotate and play in the file viewer', () => {
  const keys = ['ArrowLeft', 'ArrowRight', 'Home', 'End', '+', '=', '-', 'ArrowUp', 'ArrowDown', '0', '1', ' ', '?']
  expect(keys.map((key) => press(key))).toEqual([
    'previous',
    'next',
    'first',
    'last',
    'zoom-in',
    'zoom-in',
    'zoom-out',
    'zoom-in',
    'zoom-out',
    'fit',
    'actual-size',
    'play',
    'help',
  ])
  expect([press('r'), press('R', { isShift: true }), press('f'), press('F', { isShift: true })]).toEqual([
    'rotate-right',
    'rotate-left',
    'flip-horizontal',
    'flip-vertical',
  ])
})

test('in a right-to-left layout, the next file is to the left', () => {
  expect(press('ArrowLeft', { isRightToLeft: true })).toBe('next')
  expect(press('ArrowRight', { isRightToLeft: true })).toBe('previous')
})

test('the file viewer ignores unknown keys and keys with Ctrl', () => {
  expect(press('r', { isHeld: true })).toBeUndefined()
  expect(press('x')).toBeUndefined()
})

test('focused buttons, media players and text handle their own keys', () => {
  expect(press(' ', { on: 'button' })).toBeUndefined()
  expect(press('ArrowRight', { on: 'button' })).toBe('next')
  expect(press('ArrowRight', { on: 'player' })).toBeUndefined()
  expect(press('ArrowDown', { on: 'text' })).toBeUndefined()
  expect(press('ArrowRight', { on: 'text' })).toBe('next')
})
