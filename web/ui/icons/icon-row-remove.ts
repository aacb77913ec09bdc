import { outlined } from './draw-icon.tsx'

/** “row-remove” of Tabler. */
export const IconRowRemove = outlined(
  'M20 6v4a1 1 0 0 1 -1 1h-14a1 1 0 0 1 -1 -1v-4a1 1 0 0 1 1 -1h14a1 1 0 0 1 1 1M10 16l4 4M10 20l4 -4',
)
