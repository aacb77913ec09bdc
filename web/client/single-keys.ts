import { forget, keep, readKept } from './browser-storage.ts'

const KEY = 'single-keys'

/** Whether single keys do something in this browser: speech input presses them by accident, so they can be switched off. */
export const areSingleKeysOn = (): boolean => readKept(KEY) !== 'off'

/** Switches them on or off. */
export function switchSingleKeys(areOn: boolean): void {
  if (areOn) forget(KEY)
  else keep(KEY, 'off')
}
