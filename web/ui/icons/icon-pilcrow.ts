import { outlined } from './draw-icon.tsx'

/** “pilcrow” of Tabler. */
export const IconPilcrow = outlined('M13 4v16M17 4v16M19 4h-9.5a4.5 4.5 0 0 0 0 9h3.5')
