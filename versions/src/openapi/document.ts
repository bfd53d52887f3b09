/** An OpenAPI 3.1 document, as plain data. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;
