import { outlined } from './draw-icon.tsx'

/** “sort-descending” of Tabler. */
export const IconSortDescending = outlined('M4 6l9 0M4 12l7 0M4 18l7 0M15 15l3 3l3 -3M18 6l0 12')
