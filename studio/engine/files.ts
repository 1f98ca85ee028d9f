import { OpenDocument } from '../../src/project/document.js';
import { EXPORTS } from '../../src/project/export-documents.js';
import { importDocuments } from '../../src/project/import-documents.js';
import type { FileMethods } from './protocol.js';

/** Methods of files. */
export const methods: FileMethods = {
  async importFiles({ files, options }) {
    return importDocuments(files, options);
  },
  async exportFiles({ format, documents }) {
    const open = documents.map(({ stored, spans, others }) => ({
      document: new OpenDocument(stored),
      spans,
      others,
    }));
    const written = EXPORTS[format].write(open);
    return typeof written === 'string' ? new TextEncoder().encode(written) : written;
  },
};
