import { outlined } from './draw-icon.tsx'

/** “arrow-down” of Tabler. */
export const IconArrowDown = outlined('M12 5l0 14M18 13l-6 6M6 13l6 6')
