import { outlined } from './draw-icon.tsx'

/** “plus” of Tabler. */
export const IconPlus = outlined('M12 5l0 14M5 12l14 0')
