import { outlined } from './draw-icon.tsx'

/** “menu-2” of Tabler. */
export const IconMenu2 = outlined('M4 6l16 0M4 12l16 0M4 18l16 0')
