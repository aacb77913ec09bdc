import { type Density, applyDensity } from '#web/ui/theme/density.ts'
import { removeStored, setStored } from '#web/data/storage/browser-storage.ts'

/** Chooses how much room things take, in this browser and from now on; `theme-setup.js` reads it before anything is drawn. */
export function setDensity(density: Density): void {
  if (density === 'auto') removeStored('density')
  else setStored('density', density)
  applyDensity(density)
}
