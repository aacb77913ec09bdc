import { removeStored, setStored, readStored } from './browser-storage.ts'

const KEY = 'single-keys'

/** Whether single keys do something in this browser: speech input presses them by accident, so they can be switched off. */
export const areSingleKeysEnabled = (): boolean => readStored(KEY) !== 'off'

/** Switches them on or off. */
export function setSingleKeys(areOn: boolean): void {
  if (areOn) removeStored(KEY)
  else setStored(KEY, 'off')
}
