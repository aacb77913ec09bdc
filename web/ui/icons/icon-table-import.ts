import { outlined } from './draw-icon.tsx'

/** “table-import” of Tabler. */
export const IconTableImport = outlined(
  'M12 21h-7a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v8M3 10h18M10 3v18M19 22v-6M22 19l-3 -3l-3 3',
)
