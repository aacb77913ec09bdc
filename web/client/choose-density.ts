import { type Density, wearDensity } from '#web/kit/theme/density.ts'
import { forget, keep } from './browser-storage.ts'

/** Chooses how much room things take, in this browser and from now on; `theme-setup.js` reads it before anything is drawn. */
export function chooseDensity(density: Density): void {
  if (density === 'auto') forget('density')
  else keep('density', density)
  wearDensity(density)
}
