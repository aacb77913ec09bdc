import { outlined } from './draw-icon.tsx'

/** “filter-2” of Tabler. */
export const IconFilter2 = outlined('M4 6h16M6 12h12M9 18h6')
