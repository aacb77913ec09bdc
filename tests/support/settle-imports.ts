import { afterAll, vi } from 'vitest'

/** A module that arrives after the end of its test file couldn't be loaded by the next file either. */
afterAll(() => vi.dynamicImportSettled())
