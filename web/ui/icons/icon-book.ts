import { outlined } from './draw-icon.tsx'

/** “book” of Tabler. */
export const IconBook = outlined(
  'M3 19a9 9 0 0 1 9 0a9 9 0 0 1 9 0M3 6a9 9 0 0 1 9 0a9 9 0 0 1 9 0M3 6l0 13M12 6l0 13M21 6l0 13',
)
