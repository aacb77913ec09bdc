import { outlined } from './draw-icon.tsx'

/** “columns-2” of Tabler. */
export const IconColumns2 = outlined(
  'M3 4a1 1 0 0 1 1 -1h16a1 1 0 0 1 1 1v16a1 1 0 0 1 -1 1h-16a1 1 0 0 1 -1 -1v-16M12 3v18',
)
